//! Checks of LTH servers: a client plays against them.

use std::{
    io,
    time::{Duration, Instant},
};

use boardgame_core::ByColor;
use boardgame_io::{Incoming, Link, LinkOptions, Trace};
use boardgame_match::check::{Case, CaseResult, Failure, Scene, shown_exchanges};
use othello_core::{Board, Color, Game, IllegalMove, Move, Square};
use rand::{SeedableRng, seq::IteratorRandom as _};
use rand_pcg::Pcg64;
use tokio::{net::TcpStream, time::timeout};

use super::diagnosis::rule;
use crate::protocol::{Protocol, WireFormat};

/// The longest wait for a line of the server.
const PATIENCE: Duration = Duration::from_mins(1);

/// The maximum length of a line of the server in bytes.
const MAX_LINE: usize = 4096;

/// A check of an LTH server.
#[derive(Clone, Debug)]
pub struct ServerCheck {
    /// The host and port of the server; a second one if it is a server of competitions, whose ports are those of Dark
    /// and White.
    pub addresses: Vec<(String, u16)>,
    /// The id that the client says as its name. In competitions a digit follows it.
    pub id: String,
    /// The number that the client's moves depend on.
    pub seed: u64,
}

/// A fault of a server.
#[derive(Debug, thiserror::Error)]
enum ServerFault {
    #[error("cannot connect to {host}:{port}: {reason}")]
    NotConnected {
        host: String,
        port: u16,
        reason: io::Error,
    },
    #[error("expected `{expected}`, found `{found}`")]
    Unexpected { expected: String, found: String },
    #[error("expected `{expected}`: {reason}")]
    NoLine { expected: String, reason: LineError },
    #[error("expected the chosen colour {choice}, found {color}")]
    OtherColor { choice: Color, color: Color },
    #[error(transparent)]
    Line(#[from] LineError),
    #[error(transparent)]
    IllegalMove(#[from] IllegalMove),
}

/// The reason why a line did not come.
#[derive(Debug, thiserror::Error)]
enum LineError {
    #[error("the server closed the connection")]
    Closed,
    #[error("the last line has no newline at its end")]
    NoNewline,
    #[error("more than {MAX_LINE} bytes came without a newline")]
    TooLong,
    #[error("nothing came for {PATIENCE:.0?}")]
    Silent,
}

/// The behaviour of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plan {
    /// It plays a whole game.
    Whole,
    /// It makes an illegal move at its first turn.
    Illegal,
    /// It answers the question for its colour with `x`.
    WrongColor,
    /// It leaves at its second turn.
    Leaves,
}

impl ServerCheck {
    /// Plays the games, and calls `observer` for each case once it is decided.
    ///
    /// # Panics
    ///
    /// Panics outside a tokio runtime with time and I/O enabled.
    pub async fn run(&self, mut observer: impl FnMut(&Case)) -> Vec<Case> {
        let mut cases = Vec::new();
        let mut push = |name, about: &str, failure: Option<Failure>| {
            let passed = CaseResult::Passed { note: None };
            let case = Case {
                name,
                about: about.to_owned(),
                result: failure.map_or(passed, |it| CaseResult::Failed(Box::new(it))),
            };
            observer(&case);
            cases.push(case);
        };
        let (dark, white) = (Color::Black, Color::White);
        if self.addresses.len() > 1 {
            for (name, about, plan) in [
                ("competition", "two clients play a game", Plan::Whole),
                (
                    "illegal",
                    "it ends a game after an illegal move",
                    Plan::Illegal,
                ),
                ("second-game", "two clients play after that", Plan::Whole),
            ] {
                let (one, two) =
                    tokio::join!(self.play(0, dark, plan), self.play(1, white, Plan::Whole));
                push(name, about, one.or(two));
            }
            return cases;
        }
        let single = |color, plan| self.play(0, color, plan);
        push(
            "dark",
            "it plays a game against Dark",
            single(dark, Plan::Whole).await,
        );
        push(
            "white",
            "it plays a game against White",
            single(white, Plan::Whole).await,
        );
        let failure = single(dark, Plan::Illegal).await;
        push("illegal", "it refuses an illegal move", failure);
        let failure = single(dark, Plan::WrongColor).await;
        push(
            "wrong-colour",
            "it refuses a wrong colour, if it asks",
            failure,
        );
        let left = single(dark, Plan::Leaves).await;
        let failure = left.or(single(dark, Plan::Whole).await);
        push("leaves", "it plays on after a client has left", failure);
        let (one, two) = tokio::join!(single(dark, Plan::Whole), single(white, Plan::Whole));
        push(
            "two-at-once",
            "it plays with two clients at a time",
            one.or(two),
        );
        cases
    }

    /// Plays a game as a client, which chooses a colour if it is asked. Returns the server's fault, if any.
    async fn play(&self, place: usize, color: Color, plan: Plan) -> Option<Failure> {
        let (trace, began) = (Trace::default(), Instant::now());
        let (host, port) = &self.addresses[place];
        let is_competition = self.addresses.len() > 1;
        let mut game = Game::new(Board::START);
        let result = match TcpStream::connect((host.as_str(), *port)).await {
            Ok(stream) => {
                let options = LinkOptions {
                    trace: Some(trace.clone()),
                    ..LinkOptions::default()
                };
                let mut client = Client {
                    link: Link::of(stream, options),
                    pending: Vec::new(),
                    game: &mut game,
                    random: Pcg64::seed_from_u64(self.seed.wrapping_add(place as u64)),
                    plan,
                };
                let suffix = if is_competition {
                    (place + 1).to_string()
                } else {
                    String::new()
                };
                client.play(&format!("{}{suffix}", self.id), color).await
            }
            Err(reason) => Err(ServerFault::NotConnected {
                host: host.clone(),
                port: *port,
                reason,
            }),
        };
        let board = game.board();
        let last = game.moves().last().copied().and_then(Move::square);
        Some(Failure {
            fault: result.err()?.to_string(),
            cause: None,
            rule: Some(rule(Protocol::Wire(WireFormat::Lth), 1)),
            color: "the server".into(),
            scene: Scene {
                moves: game.transcript().to_string(),
                board: board.pretty().last_move(last).to_string(),
                square: None,
                legal: board
                    .legal_moves()
                    .iter()
                    .map(|it| it.to_string())
                    .collect(),
            },
            exchanges: shown_exchanges(&trace.take(), began),
        })
    }
}

/// A client in a game.
struct Client<'a> {
    link: Link,
    /// The bytes of lines that were not read yet.
    pending: Vec<u8>,
    game: &'a mut Game,
    random: Pcg64,
    plan: Plan,
}

impl Client<'_> {
    /// Plays a game. Fails with what was expected and what came.
    async fn play(&mut self, id: &str, choice: Color) -> Result<(), ServerFault> {
        self.expect("Hi! I am your othello server.").await?;
        self.expect("What is your name?").await?;
        self.say(id);
        let hello = format!("Hello {id}!");
        self.expect_like(&format!("{hello} …"), |it| it.starts_with(&hello))
            .await?;
        self.expect_like("Your time limit is … secs", |it| {
            let middle = it.strip_prefix("Your time limit is ");
            let number = middle.and_then(|it| it.strip_suffix(" secs"));
            number.is_some_and(|it| it.parse::<f64>().is_ok())
        })
        .await?;
        self.expect("Move format: column (letter) + row (number).")
            .await?;
        let mut line = self.line().await?;
        let is_asked = line == "choose colour, 'd' for dark, 'w' for white.";
        if is_asked {
            let chosen = ByColor {
                black: "d",
                white: "w",
            }[choice];
            let is_wrong = self.plan == Plan::WrongColor;
            self.say(if is_wrong { "x" } else { chosen });
            if is_wrong {
                return self.expect_bye("You provided wrong colour. Bye!").await;
            }
            line = self.line().await?;
        } else if self.plan == Plan::WrongColor {
            return Ok(());
        }
        let color = match line.as_str() {
            "you are dark" => Color::Black,
            "you are white" => Color::White,
            found => return Err(unexpected("you are dark` or `you are white", found)),
        };
        if is_asked && color != choice {
            return Err(ServerFault::OtherColor { choice, color });
        }
        self.moves(color).await
    }

    async fn moves(&mut self, color: Color) -> Result<(), ServerFault> {
        let mut turns = 0;
        loop {
            let board = self.game.board();
            let line = self.line().await?;
            match line.as_str() {
                "your move" if board.side_to_move() == color && !board.is_over() => {
                    turns += 1;
                    if self.plan == Plan::Illegal {
                        self.say("a1");
                        return self.expect_bye("This move is illegal. Bye!").await;
                    }
                    if self.plan == Plan::Leaves && turns > 1 {
                        return Ok(());
                    }
                    let square = board.legal_moves().iter().choose(&mut self.random);
                    self.say(&square.map_or("PASS".into(), |it| it.to_string()));
                    // It is legal.
                    let _ = self.game.play(square.map_or(Move::Pass, Move::Place));
                }
                "opponent's move" if board.side_to_move() != color => {
                    let text = self.line().await?;
                    let mv = match text.parse::<Square>() {
                        _ if text == "PASS" => Some(Move::Pass),
                        Ok(square) if square.to_string() == text => Some(square.into()),
                        _ => None,
                    };
                    let mv = mv.ok_or_else(|| unexpected("a1` to `h8` or `PASS", &text))?;
                    self.game.play(mv)?;
                }
                "The game is finished" => return self.finish().await,
                found => {
                    let expected = match board.side_to_move() == color {
                        _ if board.is_over() => "The game is finished",
                        true => "your move",
                        false => "opponent's move",
                    };
                    return Err(unexpected(expected, found));
                }
            }
        }
    }

    /// Reads the final block, after its first line.
    async fn finish(&mut self) -> Result<(), ServerFault> {
        let board = self.game.board();
        if !board.is_over() {
            // The opponent has made a fault.
            return Ok(());
        }
        let discs = |color| board.discs(color).count();
        let (white, dark) = (discs(Color::White), discs(Color::Black));
        self.expect(&format!("White: {white}")).await?;
        self.expect(&format!("Dark: {dark}")).await?;
        let winner = match white.cmp(&dark) {
            std::cmp::Ordering::Less => "Dark won",
            std::cmp::Ordering::Equal => "Draw",
            std::cmp::Ordering::Greater => "White won",
        };
        // A server of competitions may name the winner.
        let is_winner = |it: &str| it == winner || winner != "Draw" && it.ends_with(" won");
        self.expect_like(winner, is_winner).await?;
        self.expect_end().await
    }

    async fn expect_bye(&mut self, reason: &str) -> Result<(), ServerFault> {
        self.expect("error").await?;
        self.expect(&format!(" {reason}")).await?;
        self.expect_end().await
    }

    async fn expect_end(&mut self) -> Result<(), ServerFault> {
        match self.line().await {
            Ok(found) => Err(unexpected("the end of the connection", &found)),
            Err(LineError::Closed) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    async fn expect(&mut self, expected: &str) -> Result<(), ServerFault> {
        self.expect_like(expected, |it| it == expected).await
    }

    async fn expect_like(
        &mut self,
        expected: &str,
        is: impl Fn(&str) -> bool,
    ) -> Result<(), ServerFault> {
        let found = self.line().await.map_err(|reason| ServerFault::NoLine {
            expected: expected.into(),
            reason,
        })?;
        if is(&found) {
            return Ok(());
        }
        Err(unexpected(expected, &found))
    }

    fn say(&mut self, line: &str) {
        // A server that does not read is told of by the line that does not come.
        let _ = self.link.send(format!("{line}\n").as_bytes());
    }

    /// Returns the next line without its end.
    async fn line(&mut self) -> Result<String, LineError> {
        loop {
            if let Some(end) = self.pending.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.pending.drain(..=end).collect();
                return Ok(String::from_utf8_lossy(&line[..end]).into_owned());
            }
            if self.pending.len() > MAX_LINE {
                return Err(LineError::TooLong);
            }
            match timeout(PATIENCE, self.link.next()).await {
                Ok(Some(Incoming::Bytes { bytes, .. })) => self.pending.extend(bytes),
                Ok(_) if self.pending.is_empty() => return Err(LineError::Closed),
                Ok(_) => return Err(LineError::NoNewline),
                Err(_) => return Err(LineError::Silent),
            }
        }
    }
}

fn unexpected(expected: &str, found: &str) -> ServerFault {
    ServerFault::Unexpected {
        expected: expected.into(),
        found: found.into(),
    }
}
