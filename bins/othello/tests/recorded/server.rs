//! The LTH server with one scripted client and one of ours.

use std::{
    net::{Shutdown, TcpStream},
    process::Command,
};

use crate::support::{Lines, Sandbox, check, converse};

#[test]
fn clients_of_every_kind() {
    let sandbox = Sandbox::new();
    let ports = "host lth --testing 0 --evaluation 0 --dark 0 --white 0 --store games.jsonl";
    let arguments: Vec<&str> = ports.split_whitespace().collect();
    let mut server = sandbox.othello(&arguments).spawn().unwrap();
    let mut printed = Lines::of(server.stdout.take().unwrap());
    let banner: String = (0..5)
        .map(|_| printed.next_line().unwrap() + "\n")
        .collect();
    let port = |line: &str| line.split_whitespace().next().unwrap().to_owned();
    let ports: Vec<String> = banner.lines().take(4).map(port).collect();
    let session = |address: &str, script| {
        let stream = TcpStream::connect(address).unwrap();
        let mut lines = Lines::of(stream.try_clone().unwrap());
        let dialogue = converse(script, &mut lines, &mut &stream);
        stream.shutdown(Shutdown::Both).unwrap();
        dialogue
    };
    let illegal = session(
        &ports[0],
        "
        < 2
        > da7308ca
        < 4
        > d
        < 2
        > a1
        < 2
        ",
    );
    let again = session(&ports[1], "< 2\n> da7308ca\n< 5\n> h8\n< 2");
    let client = format!(
        "player lth {} --name 4711 --color white --depth 2 --hash 1",
        ports[0]
    );
    let client: Vec<&str> = client.split_whitespace().collect();
    let client = sandbox.run(&client, &[]);
    let sent = Command::new("kill")
        .args(["-TERM", &server.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
    let rest = printed.rest();
    let output = server.wait_with_output().unwrap();
    let report = sandbox.report(&output, &["games.jsonl"]);
    check(
        "serve",
        &format!("{banner}{illegal}{again}{client}{report}--- printed\n{rest}"),
    );
}
