//! The memory used for SGF of Go is bounded by the size of its text.

#[path = "../../../tests/support/memory.rs"]
mod memory;

use go_core::sgf::Record;
use memory::peak_of;

/// The length of each text.
const LENGTH: usize = 1 << 20;

/// The maximum number of bytes allocated per byte of text. Growing lists briefly exist twice.
const MAX_FACTOR: usize = 50;

#[test]
fn memory_is_bounded_by_the_text() {
    for (begin, again, end) in [
        ("(", ";", ")"),
        ("(;", ";A[]", ")"),
        ("(;", "A[]", ")"),
        ("(;A", "[]", ")"),
        ("(;C[", "\\\\", "])"),
        ("(;C[", "x", "])"),
        ("(;", "(;)", ")"),
        ("", "(;)", ""),
        ("", "(", ""),
        ("", "(;", ""),
        ("(;", ";B[]", ")"),
        ("(;SZ[19]", "AB[aa]", ")"),
    ] {
        let count = (LENGTH - begin.len() - end.len()) / again.len();
        let text = begin.to_owned() + &again.repeat(count) + end;
        let record = peak_of(|| drop(text.parse::<Record>()));
        let shown = format!("{begin:?}, {again:?} …: {record} bytes");
        assert!(record <= MAX_FACTOR * text.len(), "{shown}");
    }
}
