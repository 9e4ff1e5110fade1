//! A server with students, whose ids are secret.

use std::sync::Arc;

use othello_host::lth_server::{ResetError, ResultBounds, Server, ServerConfig, Students};
use tokio::{io::AsyncWriteExt, net::TcpStream, sync::oneshot};

use crate::support::{Running, log_in, logged, read_to, say, with_log, within};

const STUDENTS: &str =
    "[Monday]\nsecret1 = \"Ada\"\nsecret2 = \"Bo\"\n[Tuesday]\nsecret3 = \"Ida\"\n";

fn students() -> Arc<Students> {
    Arc::new(STUDENTS.parse().unwrap())
}

#[tokio::test]
async fn only_students_play_and_only_their_names_are_told() {
    for (guests, told) in [
        (false, "Your name is not known here. Bye!"),
        (true, "illegal"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let running = Running::start(ServerConfig {
            students: Some(students()),
            guests,
            ..with_log(folder.path())
        })
        .await;
        let testing = running.addresses.testing;
        let stranger = say(testing, b"stranger\nd\na1\n").await;
        assert!(stranger.contains(told), "{stranger}");
        let ada = say(testing, b"secret1\nd\na1\n").await;
        assert!(ada.contains("Hello secret1!"), "it knows the id: {ada}");
        let records = running.stop().await;
        let shown: Vec<&str> = records.iter().map(|game| game.black.as_str()).collect();
        let expected: &[&str] = if guests { &["guest", "Ada"] } else { &["Ada"] };
        assert_eq!(shown, expected);
        assert_eq!(logged(folder.path()).last().unwrap().black, "secret1");
    }
}

#[tokio::test]
async fn an_operator_resets_results_and_the_scores_follow() {
    let folder = tempfile::tempdir().unwrap();
    let config = ServerConfig {
        students: Some(students()),
        ..with_log(folder.path())
    };
    let server = Server::bind(config.on_free_ports()).await.unwrap();
    let (addresses, operator, mut scores) =
        (server.addresses(), server.operator(), server.scores());
    let (shutdown, wanted) = oneshot::channel::<()>();
    let server = tokio::spawn(server.run(|_| {}, async { drop(wanted.await) }));
    let loser = say(addresses.dark, b"secret3\na1\n");
    tokio::join!(say(addresses.white, b"secret1\n"), loser);
    let points = |name: &str, all: &[othello_host::lth_server::StudentScores]| {
        let mut all = all.iter();
        all.find(|one| one.student.name == name)
            .unwrap()
            .competition
            .points()
    };
    let saved = within(scores.wait_for(|all| points("Ada", all) > 0.0))
        .await
        .unwrap()
        .clone();
    let names: Vec<&str> = saved.iter().map(|one| one.student.name.as_str()).collect();
    assert_eq!(names, ["Ada", "Bo", "Ida"], "by class, best first");
    let reset = async |name: &'static str| {
        let operator = operator.clone();
        tokio::task::spawn_blocking(move || operator.reset(name))
            .await
            .unwrap()
    };
    let unknown = reset("secret1").await;
    assert_eq!(unknown, Err(ResetError::Unknown("secret1".into())));
    assert_eq!(reset("Ada").await, Ok(()));
    within(scores.wait_for(|all| points("Ada", all) == 0.0))
        .await
        .unwrap();
    shutdown.send(()).unwrap();
    within(server).await.unwrap();
    assert_eq!(reset("Ada").await, Err(ResetError::Ended));
    let kept = othello_host::lth_server::scores(&log_in(folder.path()), &students());
    let kept = kept.unwrap();
    assert_eq!((points("Ada", &kept), kept[2].competition.lost), (0.0, 1));
}

#[tokio::test]
async fn a_client_plays_as_many_games_as_it_may_and_the_next_once_one_is_over() {
    let running = Running::start(ServerConfig {
        games_at_a_time: Some(1),
        bounds: ResultBounds {
            games_a_day: Some(3),
            ..ResultBounds::DEFAULT
        },
        ..ServerConfig::default()
    })
    .await;
    let testing = running.addresses.testing;
    let mut first = TcpStream::connect(testing.unwrap()).await.unwrap();
    first.write_all(b"a\nd\n").await.unwrap();
    read_to(&mut first, "your move\n").await;
    let second = say(testing, b"a\nd\na1\n").await;
    assert!(
        second.ends_with(" You play too many games at a time. Bye!\n"),
        "{second}"
    );
    let other = say(testing, b"b\nd\na1\n").await;
    assert!(other.ends_with("illegal. Bye!\n"), "{other}");
    first.write_all(b"a1\n").await.unwrap();
    read_to(&mut first, "illegal. Bye!\n").await;
    // Its place is free as soon as it knows its result.
    for told in [
        "illegal. Bye!\n",
        "illegal. Bye!\n",
        " your games of today. Bye!\n",
    ] {
        let next = say(testing, b"a\nd\na1\n").await;
        assert!(next.ends_with(told), "{next}");
    }
    running.stop().await;
}
