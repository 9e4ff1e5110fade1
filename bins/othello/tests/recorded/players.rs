//! The players of every format, each against a scripted other side.

use std::net::{Shutdown, TcpListener};

use crate::support::{Lines, Sandbox, check, converse, over_pipes};

/// Plays a script against the player of a format at a fixed depth.
fn player(name: &str, format: &str, options: &str, script: &str) {
    let sandbox = Sandbox::new();
    let options = format!("player {format} --depth 3 --hash 1 {options}");
    let arguments: Vec<&str> = options.split_whitespace().collect();
    let program = if format == "gui" { "guibot" } else { format };
    let log = format!("othello/othello-{program}.log");
    check(name, &over_pipes(&sandbox, &arguments, script, &[&log]));
}

#[test]
fn sloan() {
    player(
        "sloan_black",
        "sloan",
        "",
        "
        > (play)
        > (I B)
        < 1
        > (W)
        < 1
        > (C what now) (W c 5)
        < 1
        > (W a 1)
        < 1
        > (64)
        < 1
    ",
    );
    player(
        "sloan_white",
        "sloan",
        "--comments eval",
        "
        > (I W)
        < 1
        > (B D 3)
        < 1
        > (B)
        < 1
        > (nonsense
        > )
        < 1
        > (B
        > e 6)
        < 1
    ",
    );
    player(
        "sloan_without_parentheses",
        "sloan",
        "--comments board",
        "
        > I W
        < 1
        > B d 3
        < 3
        > C nothing
        > -64
        < 1
    ",
    );
}

#[test]
fn codewarriors() {
    player(
        "codewarriors_starter",
        "codewarriors",
        "",
        "
        > ST
        < 1
        > C3
        < 1
        >| E7
        < 1
        > PS
        < 1
        > zz
    ",
    );
    player(
        "codewarriors_other",
        "codewarriors",
        "",
        "
        > D3
        < 1
        >
        > d3
        < 1
    ",
    );
}

const BOARD: &str = "
        > ........
        > ........
        > ...X....
        > ...XX...
        > ...XO...
        > ........
        > ........
        > ........
";

#[test]
fn guibot() {
    let released = format!("{BOARD}\n> O\n> 3000\n> 3 c3 e3 c5\n< 1");
    player("guibot_released", "gui", "--mode released", &released);
    let document = format!("< 1\n{BOARD}\n> 3000\n> 3 c3 e3 c5\n< 1");
    player("guibot_document_v1", "gui", "--mode document", &document);
    let stay = format!("< 1\n{BOARD}\n> O\n> 3000\n> 3 c3 e3 c5\n< 1");
    let twice = format!("{stay}\n{BOARD}\n> O\n> 3000\n> 3 c3 e3 c5\n< 1");
    player("guibot_stay_v2", "gui", "--mode stay", &twice);
    player("guibot_short", "gui", "--mode released", "> ........\n> XO");
}

#[test]
fn gtp() {
    player(
        "gtp",
        "gtp",
        "",
        "
        > 1 protocol_version
        <.
        > name
        <.
        > 3 list_commands
        <.
        > 4 boardsize 8
        <.
        > clear_board
        <.
        > play b d3
        <.
        > 5 genmove w
        <.
        > play w a1
        <.
        > undo
        <.
        > known_command genmove
        <.
        > time_left b 10 0
        <.
        > final_score
        <.
        > unknown
        <.
        > quit
        <.
    ",
    );
}

#[test]
fn nboard() {
    player("nboard", "nboard", "", "
        > nboard 2
        < 1
        > set depth 3
        > set game (;GM[Othello]PC[x]PB[a]PW[b]RE[?]TI[5:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)
        > ping 1
        < 1
        > go
        < 3
        > move C3/1.00/0.1
        > ping 2
        < 1
        > hint 2
        < 4
        > set myname someone
        > nonsense
    ");
}

/// Returns the dialogue of a client with a scripted server.
fn lth_client(name: &str, options: &str, script: &str) {
    let sandbox = Sandbox::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let options = format!("player lth {address} --depth 3 --hash 1 {options}");
    let arguments: Vec<&str> = options.split_whitespace().collect();
    let client = sandbox.othello(&arguments).spawn().unwrap();
    let (stream, _) = listener.accept().unwrap();
    let mut lines = Lines::of(stream.try_clone().unwrap());
    let dialogue = converse(script, &mut lines, &mut &stream);
    stream.shutdown(Shutdown::Both).unwrap();
    let output = client.wait_with_output().unwrap();
    let report = sandbox.report(&output, &["othello/othello-lth.log"]);
    check(name, &format!("{dialogue}{report}"));
}

#[test]
fn lth() {
    lth_client(
        "lth_testing_port",
        "--name 4711 --color white",
        "
        > Hi! I am your othello server.
        > What is your name?
        < 1
        > Hello 4711! Your current win count is 3
        > Your time limit is 300 secs
        > Move format: column (letter) + row (number).
        > choose colour, 'd' for dark, 'w' for white.
        < 1
        > you are white
        > opponent's move
        > d3
        > your move
        < 1
        > The game is finished
        > White: 1
        > Dark: 4
        > Dark won
    ",
    );
    lth_client(
        "lth_competition",
        "--name 4711",
        "
        > Hi! I am your othello server.
        > What is your name?
        < 1
        > Hello 4711!
        > Your time limit is 300 secs
        > Move format: column (letter) + row (number).
        > you are dark
        > your move
        < 1
        > opponent's move
        > h8
    ",
    );
}
