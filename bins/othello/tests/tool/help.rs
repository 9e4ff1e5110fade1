//! The help of each command.

use crate::support::Folder;

#[test]
fn help_shows_what_each_command_takes() {
    let folder = Folder::new();
    let help = |line: &str| folder.printed(&format!("{line} --help"));
    for command in [
        "analyze",
        "bench",
        "check",
        "check-player",
        "check-rules",
        "convert",
        "demo",
        "drill",
        "games",
        "hint",
        "host",
        "ladder",
        "match",
        "perft",
        "play",
        "prove",
        "solve",
        "tournament",
        "web",
    ] {
        insta::assert_snapshot!(command, help(command));
    }
    for format in ["sloan", "lth", "codewarriors", "gui"] {
        insta::assert_snapshot!(format!("host_{format}"), help(&format!("host {format}")));
    }
    for command in [
        "add", "build", "deepen", "export", "import", "learn", "lines", "merge", "prepare",
        "prune", "show", "stats", "verify",
    ] {
        insta::assert_snapshot!(format!("book_{command}"), help(&format!("book {command}")));
    }
    insta::assert_snapshot!("othello", help(""));
}
