//! Text of others, in files, names, programs and servers, as it reaches a terminal.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::{TcpListener, TcpStream},
    thread,
};

use crate::support::{Folder, Ran};

/// Controls of a terminal, of lines and of the order of letters.
const HOSTILE: &str = "\u{1b}c\u{7}x\r\nFORGED\u{9b}2J\u{7f}\u{202e}\u{2066}\u{2028}y";

/// The same in the words of `printf`.
const PRINTED: &str =
    r"\033c\007x\r\nFORGED\302\2332J\177\342\200\256\342\201\246\342\200\250y\r\n";

/// Asserts that what a command prints has no character that controls anything but the end of a line, and that no line
/// is that of the text; returns all that it prints.
fn check(folder: &Folder, words: &[&str]) -> String {
    let ran = Ran::from(folder.with_words(words).output().expect("the tool"));
    let all = ran.out + &ran.errors;
    let mut letters = all.chars();
    let control = letters.find(|&letter| letter != '\n' && boardgame_io::is_control(letter));
    assert_eq!(control, None, "{words:?}: {all:?}");
    let is_forged = all.lines().any(|line| line.starts_with("FORGED"));
    assert!(!is_forged && !all.is_empty(), "{words:?}: {all:?}");
    all
}

/// Writes files of each kind that hold the text where names, comments or anything else may stand, and returns their
/// names.
fn write_files(folder: &Folder) -> [String; 8] {
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
    let names = "[[engine]]\nname = \"a\\u001B\\u202E\"\nprotocol = \"own\"\n";
    let toml = format!("{names}\n# {HOSTILE}\n[[engine]]\nnam{HOSTILE} = 1\n");
    let files = [
        (&*format!("a{HOSTILE}.ggf"), ggf),
        ("a.sgf", sgf),
        ("a.pgn", pgn),
        ("a.toml", toml),
        ("names.toml", names.to_owned()),
        ("a.txt", format!("f5 {HOSTILE} d6 {HOSTILE}\n")),
        ("a.obf", format!("{HOSTILE} X; f5:+0;\n")),
        (
            "a.jsonl",
            format!("{{\"finished\":1,\"event\":\"{HOSTILE}\n"),
        ),
    ];
    files.map(|(name, content)| {
        folder.write(name, content);
        name.to_owned()
    })
}

#[test]
fn no_file_controls_the_terminal() {
    let folder = Folder::new();
    let commands = [
        "games FILE",
        "games FILE --players FILE",
        "games FILE --date HOSTILE",
        "convert FILE --to pgn --output out",
        "analyze FILE --no-store --depth 2 --threads 1 --hash 4",
        "analyze FILE --batch --depth 2 --threads 1 --hash 4",
        "solve FILE --depth 1",
        "check FILE",
        "prove FILE --out proof",
        "hint --depth 1 --weights a.sgf",
        "match -l depth:1 --engines FILE",
        "match -l depth:1 -e a=own -e b=own --openings FILE",
        // An address that this computer does not have.
        "host lth --store FILE --address 203.0.113.1",
    ];
    for file in &write_files(&folder) {
        for command in commands {
            let words = command.split(' ');
            let words = words.map(|word| match word {
                "FILE" => file,
                "HOSTILE" => HOSTILE,
                _ => word,
            });
            let words: Vec<&str> = words.collect();
            let told = check(&folder, &words);
            let shows_names = file == "a.sgf" && (words[0] == "analyze" || command == "games FILE");
            assert!(
                !shows_names || told.contains(r"\u{1b}c\u{7}x"),
                "{words:?}: {told}"
            );
        }
        let _ = fs::remove_file(folder.path("out"));
    }
}

#[test]
fn no_program_controls_the_terminal() {
    let folder = Folder::new();
    let program = format!("sh -c 'printf \"{PRINTED}\"; printf \"{PRINTED}\" >&2; read x'");
    for format in ["sloan", "codewarriors", "gui"] {
        check(&folder, &["host", format, &program]);
        let play = ["play", &program, "--format", format, "--color", "white"];
        check(&folder, &play);
    }
    for format in ["gtp", "nboard", "sloan", "codewarriors", "gui"] {
        let engine = format!("{format}={format}:{program}");
        let own = [
            "match",
            "--games",
            "2",
            "-l",
            "move:1s",
            "-e",
            "own=own:hash=1",
        ];
        check(&folder, &[&own[..], &["-e", &engine]].concat());
    }
}

#[test]
fn no_server_controls_the_terminal() {
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
    let words = ["player", "lth", &address, "--name", "x", "--retry", "0s"];
    check(&Folder::new(), &words);
    // The server waits no longer, should the player not have come.
    let _ = TcpStream::connect(&address);
    server.join().expect("the server");
}
