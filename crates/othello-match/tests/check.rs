//! A check finds the faults of programs and names their causes.

use std::{
    collections::BTreeMap,
    env,
    io::{Read as _, Write as _},
    net::TcpListener,
    thread,
    time::Duration,
};

use boardgame_io::{CommandLine, ProgramLimits};
use boardgame_match::check::{Case, CaseResult, Check};
use othello_host::lth_server::{Server, ServerConfig};
use othello_match::{
    check::{ServerCheck, Subject},
    protocol::Protocol,
};

fn subject(format: &str, line: CommandLine, limit: &str) -> Subject {
    let protocol = Protocol::from_name(format).expect("a format");
    Subject::new(protocol, line, limit.parse().expect("a limit"))
}

/// Returns a check of the example program with a fault.
fn check_of(fault: &str) -> Check<Subject> {
    let tests = env::current_exe().expect("a path");
    let folder = tests.ancestors().nth(2).expect("a folder");
    let program = format!("faulty{}", env::consts::EXE_SUFFIX);
    let program = folder.join("examples").join(program);
    let line = CommandLine::new(program.to_string_lossy(), [fault]);
    Check {
        subject: subject("codewarriors", line, "move:1s"),
        limits: ProgramLimits::default(),
        tries: 12,
        time: Duration::from_mins(5),
        seed: 1,
        only: Vec::new(),
    }
}

/// Checks the example program with a fault; `case` and the whole games alone.
async fn check(fault: &str, case: &str) -> Vec<Case> {
    let check = Check {
        only: vec![case.to_owned()],
        ..check_of(fault)
    };
    check.run(|_| {}).await
}

/// Returns the cases that a fault fails, with the fault and its cause; on a busy machine lateness is only doubtful.
async fn found(fault: &str, case: &str) -> BTreeMap<&'static str, String> {
    let cases = check(fault, case).await.into_iter();
    let failures = cases.filter_map(|case| match case.result {
        CaseResult::Failed(failure) => {
            let cause = failure.cause.unwrap_or_default();
            Some((case.name, format!("{}: {cause}", failure.fault)))
        }
        CaseResult::Doubtful { note } => Some((case.name, note)),
        _ => None,
    });
    failures.collect()
}

/// Checks that each fault fails its case, with words of the fault or its cause.
async fn check_all(faults: &[(&str, &str, &str)]) {
    for &(fault, case, words) in faults {
        let found = found(fault, case).await;
        let named = found.get(case).is_some_and(|text| text.contains(words));
        assert!(named, "{fault}: expected {case}: {words}, found {found:?}");
    }
}

#[tokio::test]
async fn misunderstandings_are_named() {
    check_all(&[
        (
            "columns-and-rows",
            "white",
            "columns and rows look exchanged",
        ),
        (
            "rows-from-below",
            "black",
            "rows look counted from the bottom",
        ),
        (
            "wrong-color",
            "black",
            "as if it moved for the other colour",
        ),
        (
            "opponent-ignored",
            "black",
            "did not play the opponent's moves",
        ),
        ("no-diagonals", "black", "did not flip along diagonals"),
        ("own-move-again", "black", "has its own disc"),
        (
            "passes-early",
            "black",
            "legal moves here and must not pass",
        ),
    ])
    .await;
}

#[tokio::test]
async fn situations_are_reached() {
    check_all(&[
        (
            "no-pass",
            "pass",
            "has no legal move here and must pass: `PS`",
        ),
        ("pass-ignored", "opponent-passes", "nothing arrived"),
        (
            "opponent-pass-crashes",
            "opponent-passes",
            "PS is no square",
        ),
        ("dies-without-discs", "wiped-out", "no discs"),
        ("silent-at-end", "early-end", "nothing arrived"),
        ("black-only", "white", "nothing arrived"),
    ])
    .await;
}

#[tokio::test]
async fn output_and_time_are_judged() {
    check_all(&[
        ("lower-case", "black", "capital letters only"),
        (
            "debug-output",
            "black",
            "write debugging text to standard error",
        ),
        (
            "says-twice",
            "black",
            "it wrote 2 lines where one was expected",
        ),
        ("floods", "black", "write debugging text to standard error"),
        (
            "unflushed",
            "black",
            "flush standard output after each line",
        ),
        ("slow", "time", "of 1.000s"),
        ("slow-start", "time", "of 1.000s"),
    ])
    .await;
}

#[tokio::test]
async fn the_end_of_a_program_is_explained() {
    check_all(&[
        ("not-started", "start", "exit status: 3"),
        ("crash", "black", "index out of bounds"),
        ("leaves-early", "black", "the program ended"),
        ("line-ends", "line-endings", "a carriage return"),
        ("pieces", "pieces", "expected a whole line"),
        ("two-at-once", "two-at-once", "in use"),
    ])
    .await;
}

/// A referee says its verdict after an illegal move, which is not taken for a question.
#[cfg(unix)]
#[tokio::test]
async fn an_illegal_move_is_explained_before_a_verdict() {
    let script = "read x; echo '(R B)'; read x; echo '(B e 4)'; cat >/dev/null";
    let check = Check {
        subject: subject("sloan", CommandLine::new("sh", ["-c", script]), "game:10s"),
        only: vec!["pass".into()],
        ..check_of("")
    };
    let cases = check.run(|_| {}).await;
    let black = cases.iter().find(|case| case.name == "black");
    let Some(CaseResult::Failed(failure)) = black.map(|case| &case.result) else {
        panic!("{cases:?}");
    };
    let cause = failure.cause.as_deref().unwrap_or_default();
    assert!(cause.starts_with("e4 has its own disc"), "{failure:?}");
    assert_eq!(failure.scene.square.as_deref(), Some("e4"));
}

#[tokio::test]
async fn a_program_that_is_not_there_is_said_so() {
    let check = Check {
        subject: subject(
            "codewarriors",
            CommandLine::new("/no/such/bot", [""; 0]),
            "move:1s",
        ),
        ..check_of("")
    };
    let cases = check.run(|_| {}).await;
    let CaseResult::Failed(failure) = &cases[0].result else {
        panic!("{cases:?}");
    };
    assert_eq!(cases[0].name, "start");
    let cause = failure.cause.as_deref().unwrap_or_default();
    assert!(cause.starts_with("it cannot be run"), "{failure:?}");
}

#[tokio::test]
async fn a_program_without_faults_passes() {
    let cases = check("", "pass").await;
    let failed = cases.iter().find(|case| case.result.is_failure());
    assert!(failed.is_none(), "{failed:?}");
    assert!(cases.iter().any(|case| case.name == "pass"));
}

/// Returns the first case that a server fails.
async fn failed_by_server(addresses: &[std::net::SocketAddr]) -> Option<Case> {
    let address = |it: &std::net::SocketAddr| (it.ip().to_string(), it.port());
    let check = ServerCheck {
        addresses: addresses.iter().map(address).collect(),
        id: "check".into(),
        seed: 1,
    };
    let mut cases = check.run(|_| {}).await.into_iter();
    cases.find(|case| case.result.is_failure())
}

#[tokio::test]
async fn our_lth_server_has_no_fault() {
    let server = Server::bind(ServerConfig::default().on_free_ports()).await;
    let server = server.expect("free ports");
    let addresses = server.addresses();
    let serving = tokio::spawn(server.run(|_| {}, std::future::pending()));
    let testing = addresses.testing.expect("a port");
    let competition = [addresses.dark, addresses.white].map(|it| it.expect("a port"));
    for ports in [&[testing][..], &competition] {
        let failed = failed_by_server(ports).await;
        assert!(failed.is_none(), "{failed:?}");
    }
    serving.abort();
}

#[tokio::test]
async fn a_server_that_greets_otherwise_is_told() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            // A client that has left needs no greeting.
            let _ = stream.write_all(b"Hi!\n");
            let _ = stream.read(&mut [0; 64]);
        }
    });
    let failed = failed_by_server(&[address]).await.expect("a fault");
    let CaseResult::Failed(failure) = &failed.result else {
        panic!("{failed:?}");
    };
    assert_eq!(
        failure.fault,
        "expected `Hi! I am your othello server.`, found `Hi!`"
    );
}
