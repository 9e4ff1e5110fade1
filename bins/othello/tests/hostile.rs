//! Text of others, in files, names, programs and servers, as it reaches a terminal.
#![cfg(unix)]

use std::{
    fs,
    io::{Read as _, Write as _},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Command, Output, Stdio},
    thread,
};

/// Controls of a terminal, of lines and of the order of letters.
const HOSTILE: &str = "\u{1b}c\u{7}x\r\nFORGED\u{9b}2J\u{7f}\u{202e}\u{2066}\u{2028}y";

/// The same in the words of `printf`.
const PRINTED: &str =
    r"\033c\007x\r\nFORGED\302\2332J\177\342\200\256\342\201\246\342\200\250y\r\n";

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_othello"))
        .args(arguments)
        .current_dir(folder)
        .env("XDG_STATE_HOME", folder)
        .env("XDG_CACHE_HOME", folder)
        .stdin(Stdio::null())
        .output()
        .expect("the tool starts")
}

/// Asserts that what a command printed has no character that controls anything but the end of a line, and that no line
/// is that of the text; returns all that it printed.
fn check(name: &str, output: &Output) -> String {
    let mut all = String::new();
    for bytes in [&output.stdout, &output.stderr] {
        let text = String::from_utf8_lossy(bytes);
        let control = text
            .chars()
            .find(|&letter| letter != '\n' && boardgame_io::is_control(letter));
        assert_eq!(control, None, "{name}: {text:?}");
        let is_forged = text.lines().any(|line| line.starts_with("FORGED"));
        assert!(!is_forged, "{name}: {text:?}");
        all += &text;
    }
    assert!(!all.is_empty(), "{name} prints nothing");
    all
}

/// Files of each kind that hold the text where names, comments or anything else may stand.
fn write_files(folder: &Path) -> Vec<String> {
    let name = format!("a{HOSTILE}.ggf");
    let ggf = format!(
        "(;GM[Othello]PC[{HOSTILE}]DT[2003.12.15]PB[{HOSTILE}]PW[Bob]RE[-4.00]TY[8]RB[{HOSTILE}]B[F5]W[D6];)\n\
         (;GM[Othello]PB[Cid]PW[Ann]B[{HOSTILE}];)\n"
    );
    let sgf = format!(
        "(;FF[4]GM[2]SZ[8]PB[{HOSTILE}]PW[{HOSTILE}]EV[{HOSTILE}]PC[{HOSTILE}]RO[{HOSTILE}]C[{HOSTILE}];B[f5];W[d6])"
    );
    let pgn = format!(
        "[Event \"{HOSTILE}\"]\n[White \"{HOSTILE}\"]\n[Black \"{HOSTILE}\"]\n\n1. f5 d6 {{{HOSTILE}}} *\n"
    );
    let toml = format!(
        "[[engine]]\nname = \"a\\u001B\\u202E\"\nprotocol = \"own\"\n\n# {HOSTILE}\n[[engine]]\nnam{HOSTILE} = 1\n"
    );
    let names = "[[engine]]\nname = \"a\\u001B\\u202E\"\nprotocol = \"own\"\n".to_owned();
    let files = [
        (name.as_str(), &ggf),
        ("a.sgf", &sgf),
        ("a.pgn", &pgn),
        ("a.toml", &toml),
        ("names.toml", &names),
        ("a.txt", &format!("f5 {HOSTILE} d6 {HOSTILE}\n")),
        ("a.obf", &format!("{HOSTILE} X; f5:+0;\n")),
        (
            "a.jsonl",
            &format!("{{\"finished\":1,\"event\":\"{HOSTILE}\n"),
        ),
    ];
    for (name, content) in files {
        fs::write(folder.join(name), content).expect("a file");
    }
    files.map(|(name, _)| name.to_owned()).to_vec()
}

#[test]
fn no_file_controls_the_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let files = write_files(folder);
    let own = ["match", "-l", "depth:1", "-e", "a=own", "-e", "b=own"];
    let analyze = ["--depth", "2", "--threads", "1", "--hash", "4"];
    for file in files.iter().map(String::as_str) {
        for arguments in [
            &["games", file][..],
            &["games", file, "--players", file],
            &["games", file, "--date", HOSTILE],
            &["convert", file, "--to", "pgn", "--output", "out"],
            &[&["analyze", file, "--no-store"], &analyze[..]].concat(),
            &[&["analyze", file, "--batch"], &analyze[..]].concat(),
            &["solve", file, "--depth", "1"],
            &["check", file],
            &["prove", file, "--out", "proof"],
            &["hint", "--depth", "1", "--weights", "a.sgf"],
            &["match", "-l", "depth:1", "--engines", file],
            &[&own[..], &["--openings", file]].concat(),
            // An address that this computer does not have.
            &["host", "lth", "--store", file, "--address", "203.0.113.1"],
        ] {
            let told = check(&format!("{arguments:?}"), &run(folder, arguments));
            let shows_names = file == "a.sgf"
                && (arguments[0] == "analyze" || arguments == &["games", "a.sgf"][..]);
            assert!(
                !shows_names || told.contains(r"\u{1b}c\u{7}x"),
                "{arguments:?}: {told}"
            );
        }
        let _ = fs::remove_file(folder.join("out"));
    }
}

#[test]
fn no_program_controls_the_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let program = format!("sh -c 'printf \"{PRINTED}\"; printf \"{PRINTED}\" >&2; read x'");
    let engines: Vec<String> = ["gtp", "nboard", "sloan", "codewarriors", "gui"]
        .map(|format| format!("{format}={format}:{program}"))
        .to_vec();
    let mut commands: Vec<Vec<&str>> = ["sloan", "codewarriors", "gui"]
        .map(|format| vec!["host", format, &program])
        .to_vec();
    let own = [
        "match",
        "--games",
        "2",
        "-l",
        "move:1s",
        "-e",
        "own=own:hash=1",
    ];
    commands.extend(
        engines
            .iter()
            .map(|engine| [&own[..], &["-e", engine]].concat()),
    );
    for format in ["sloan", "codewarriors", "gui"] {
        commands.push(vec![
            "play", &program, "--format", format, "--color", "white",
        ]);
    }
    for arguments in commands {
        check(&format!("{arguments:?}"), &run(folder, &arguments));
    }
}

#[test]
fn no_server_controls_the_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("its address").to_string();
    let server = thread::spawn(move || {
        let (mut client, _) = listener.accept().expect("the player");
        for text in ["Hi! Who are you?\n", "error\n", HOSTILE, "\n"] {
            client.write_all(text.as_bytes()).expect("a reader");
        }
        client.shutdown(std::net::Shutdown::Write).expect("open");
        // Until the player has gone, which may be before it has read all.
        let _ = client.read_to_end(&mut Vec::new());
    });
    let arguments = ["player", "lth", &address, "--name", "x", "--retry", "0s"];
    let output = run(folder.path(), &arguments);
    // The server waits no longer, should the player not have come.
    let _ = TcpStream::connect(&address);
    check("lth", &output);
    server.join().expect("the server");
}
