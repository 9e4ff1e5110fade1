//! Whole games of a real format over loopback sockets, against servers of many manners.

mod common;

use std::{
    future::pending,
    time::{Duration, Instant},
};

use common::{guarded, loopback};
use othello_core::{Board, Color, Move, Square};
use othello_net::{
    Connection, DriveError, DriveOptions, DriveOutcome, Interrupter, Thinker, drive,
};
use othello_proto::{
    lth::{Player, PlayerOptions},
    session::{Choice, Ending, Question, Task},
};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::TcpStream,
};

/// A way to cut a server's bytes.
#[derive(Clone, Copy, Debug)]
enum Manner {
    /// All that there is to say at once.
    AtOnce,
    /// Line by line, with a pause after each.
    LineByLine,
    /// Each byte in a packet of its own.
    ByteByByte,
    /// All at once, with `\r\n`.
    CarriageReturns,
}

const GREETING: &str = "Hi! I am your othello server.\nWhat is your name?\n";

/// Plays the server's side of one game, always the first legal move, and ends it in order.
struct Server {
    stream: BufReader<TcpStream>,
    manner: Manner,
    board: Board,
    /// The client's.
    color: Color,
}

impl Server {
    fn new(stream: TcpStream, manner: Manner, color: Color) -> Self {
        Self {
            stream: BufReader::new(stream),
            manner,
            board: Board::START,
            color,
        }
    }

    async fn play(mut self) -> Board {
        self.say(GREETING).await;
        let name = self.hear().await;
        let color = match self.color {
            Color::Black => "dark",
            Color::White => "white",
        };
        let mut words = format!(
            "Hello {name}! Your current win count is 3\nYour time limit is 60 secs\n\
             Move format: column (letter) + row (number).\nyou are {color}\n"
        );
        while !self.board.is_over() {
            if self.board.side_to_move() == self.color {
                self.say(&(words + "your move\n")).await;
                words = String::new();
                let answer = self.hear().await;
                self.board.play(answer.parse::<Move>().unwrap()).unwrap();
            } else {
                let mv = self.board.legal_moves().first();
                let mv = mv.map_or(Move::Pass, Move::Place);
                self.board.play(mv).unwrap();
                let mv = mv
                    .square()
                    .map_or("PASS".to_owned(), |square| square.to_string());
                words.extend(["opponent's move\n", &mv, "\n"]);
            }
        }
        self.say(&(words + &self.result())).await;
        self.stream.get_mut().shutdown().await.unwrap();
        let mut rest = String::new();
        self.stream.read_line(&mut rest).await.unwrap();
        assert_eq!(rest, "", "nothing follows the end");
        self.board
    }

    fn result(&self) -> String {
        let [white, dark] =
            [Color::White, Color::Black].map(|color| self.board.discs(color).count());
        let winner = match self.board.leader() {
            Some(Color::White) => "White won",
            Some(Color::Black) => "Dark won",
            None => "Draw",
        };
        format!("The game is finished\nWhite: {white}\nDark: {dark}\n{winner}\n")
    }

    async fn say(&mut self, words: &str) {
        let stream = self.stream.get_mut();
        match self.manner {
            Manner::AtOnce => stream.write_all(words.as_bytes()).await.unwrap(),
            Manner::CarriageReturns => {
                let words = words.replace('\n', "\r\n");
                stream.write_all(words.as_bytes()).await.unwrap();
            }
            Manner::LineByLine => {
                for line in words.split_inclusive('\n') {
                    stream.write_all(line.as_bytes()).await.unwrap();
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
            }
            Manner::ByteByByte => {
                for byte in words.bytes() {
                    stream.write_all(&[byte]).await.unwrap();
                    tokio::task::yield_now().await;
                }
            }
        }
    }

    async fn hear(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).await.unwrap();
        line.strip_suffix('\n').expect("a whole line").into()
    }
}

/// Answers the last of the squares it may choose.
struct Last;

impl Thinker<Question> for Last {
    fn think(&mut self, task: &Task, _started: Instant) -> Choice {
        task.question.moves.last().unwrap().into()
    }

    fn interrupter(&self) -> Interrupter {
        Box::new(|| {})
    }
}

/// Answers f5.
struct Opening;

impl Thinker<Question> for Opening {
    fn think(&mut self, _task: &Task, _started: Instant) -> Choice {
        Square::F5.into()
    }

    fn interrupter(&self) -> Interrupter {
        Box::new(|| {})
    }
}

fn player() -> Player {
    Player::new(PlayerOptions::new("me".parse().unwrap()))
}

#[tokio::test]
async fn whole_games_with_servers_of_every_manner() {
    use Manner::{AtOnce, ByteByByte, CarriageReturns, LineByLine};

    for manner in [AtOnce, LineByLine, ByteByByte, CarriageReturns] {
        for color in Color::ALL {
            let (connection, peer) = loopback().await;
            let server = Server::new(peer, manner, color).play();
            let options = DriveOptions::default();
            let drive = drive(player(), connection, Last, pending(), &options);
            let (board, outcome) = guarded(Box::pin(async { tokio::join!(server, drive) })).await;
            let outcome = outcome.unwrap();
            assert_eq!(outcome.ending, Ending::Orderly, "{manner:?} {color}");
            assert_eq!(outcome.session.color(), Some(color));
            let [ours, theirs] = [outcome.session.board(), board]
                .map(|board| Color::ALL.map(|color| board.discs(color)));
            assert_eq!(ours, theirs, "{manner:?} {color}");
        }
    }
}

/// Drives a player against a server that hears the name and the first move, says `words`, and then
/// does `end` to its socket.
async fn broken_off(
    words: &str,
    end: impl FnOnce(TcpStream),
) -> Result<DriveOutcome<Player>, DriveError> {
    let (connection, peer) = loopback().await;
    let server = async {
        let mut server = Server::new(peer, Manner::AtOnce, Color::Black);
        server.say(GREETING).await;
        assert_eq!(server.hear().await, "me");
        server
            .say("Hello me!\nYour time limit is 9 secs\nyou are dark\nyour move\n")
            .await;
        assert_eq!(server.hear().await, "f5");
        server.say(words).await;
        end(server.stream.into_inner());
    };
    let options = DriveOptions::default();
    let drive = drive(player(), connection, Opening, pending(), &options);
    guarded(Box::pin(async { tokio::join!(drive, server).0 })).await
}

#[tokio::test]
async fn a_server_that_closes_in_the_middle_of_the_game() {
    for words in ["", "opponent's move\n", "opponent's move\nd6\nyour m"] {
        let outcome = broken_off(words, drop).await;
        assert_eq!(outcome.unwrap().ending, Ending::CutOff, "{words:?}");
    }
}

#[tokio::test]
async fn a_server_that_resets_in_the_middle_of_the_game() {
    let reset = |stream: TcpStream| stream.set_zero_linger().unwrap();
    let outcome = broken_off("opponent's move\n", reset).await;
    let error = outcome.unwrap_err();
    assert!(matches!(error, DriveError::Reset(_)), "{error}");
}

/// The socket stays open, so nothing but the limit can end this.
#[tokio::test]
async fn a_server_that_stops_talking() {
    let (connection, mut peer) = loopback().await;
    let words = GREETING.to_owned() + "Hello me!\nyou are white\nopponent's move\n";
    peer.write_all(words.as_bytes()).await.unwrap();
    let options = DriveOptions {
        silence: Some(Duration::from_millis(50)),
        ..Default::default()
    };
    let drive = drive(player(), connection, Last, pending(), &options);
    let error = guarded(drive).await.unwrap_err();
    assert!(matches!(error, DriveError::Silent(_)), "{error}");
    drop(peer);
}

#[tokio::test]
async fn a_complaint_is_the_ending() {
    let words = "error\n This move is illegal. Bye!\n";
    let outcome = broken_off(words, drop).await;
    let Ending::Rejected(complaint) = outcome.unwrap().ending else {
        panic!("the complaint is not the ending");
    };
    assert!(complaint.contains("illegal"), "{complaint}");
}

/// As a caller has it that reaches servers by socket or by pipe.
#[tokio::test]
async fn a_boxed_connection_plays_as_well() {
    let (connection, peer) = loopback().await;
    let server = Server::new(peer, Manner::AtOnce, Color::White).play();
    let connection: othello_net::BoxedConnection = Connection::boxed(connection);
    let options = DriveOptions::default();
    let drive = drive(player(), connection, Last, pending(), &options);
    let (_, outcome) = guarded(Box::pin(async { tokio::join!(server, drive) })).await;
    assert_eq!(outcome.unwrap().ending, Ending::Orderly);
}
