//! The header says what the source says. `UPDATE_HEADER=1 cargo test -p othello-c` writes it anew.

use std::{env, fs, path::Path};

#[test]
fn the_header_is_generated_from_the_source() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut generated = Vec::new();
    cbindgen::generate(folder)
        .expect("the source can be read")
        .write(&mut generated);
    let header = folder.join("include/othello.h");
    if env::var_os("UPDATE_HEADER").is_some() {
        fs::write(&header, &generated).expect("the header can be written");
    }
    let committed = fs::read(&header).expect("the header can be read");
    assert!(
        committed == generated,
        "expected {} to agree with the source: UPDATE_HEADER=1 cargo test -p othello-c --test header",
        header.display()
    );
}
