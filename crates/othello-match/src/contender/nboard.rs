//! A program that speaks the NBoard protocol.
//!
//! What programs of others need is on the protocol's page in the documentation: a depth before
//! they think, silence while they do, and their own moves sent back to them.

use std::time::{Duration, Instant};

use boardgame_io::CommandLine;
use othello_core::{Color, Game, Move};
use othello_proto::{
    ggf::{self, MoveItem, Record},
    nboard::{Command, Response, Responses},
};

use super::{
    Choice, Failure,
    child::{Child, broken},
};
use boardgame_match::{
    fault::Fault,
    limit::{GameTime, Limit},
};

/// A program at work.
pub(crate) struct Nboard {
    child: Child,
    responses: Responses,
    limit: Limit,
    /// How many moves of the game it has been told.
    told: usize,
    /// Its own last move took so long, which it is told with the move: its clock runs by that.
    took: Option<Duration>,
    /// The last ping.
    pings: i64,
}

impl Nboard {
    /// Starts a program; it is sent `setup` then.
    ///
    /// # Errors
    ///
    /// When it does not start, or does not answer.
    pub(crate) async fn open(
        line: &CommandLine,
        limit: Limit,
        setup: &[String],
    ) -> Result<Self, Failure> {
        let mut nboard = Self {
            child: Child::launch(line)?,
            responses: Responses::default(),
            limit,
            told: 0,
            took: None,
            pings: 0,
        };
        nboard.send(&Command::Version(2))?;
        for command in setup {
            nboard.child.ask(command)?;
        }
        nboard.synchronise().await?;
        Ok(nboard)
    }

    /// Sets up the game.
    ///
    /// # Errors
    ///
    /// When the program fails.
    pub(crate) async fn begin(&mut self, game: &Game, color: Color) -> Result<(), Failure> {
        let mut record = Record::of_game(game);
        record.kind = "8".into();
        record.players[color].clock = self.limit.game.map(clock);
        if let Some(depth) = self.limit.depth {
            // NTest forgets then what it learnt in the game before.
            self.send(&Command::Depth(depth))?;
        }
        self.send(&Command::Game(Box::new(record)))?;
        self.told = game.moves().len();
        self.took = None;
        self.synchronise().await
    }

    /// Has the program choose a move.
    ///
    /// # Errors
    ///
    /// When it fails, or passes.
    pub(crate) async fn choose(&mut self, game: &Game) -> Result<Choice, Failure> {
        let own = game.side_to_move();
        for (board, mv) in game.plies().skip(self.told) {
            let ours = board.side_to_move() == own && mv != Move::Pass;
            let time = self.took.take_if(|_| ours);
            self.send(&Command::Move(MoveItem { time, ..mv.into() }))?;
        }
        self.told = game.moves().len();
        self.synchronise().await?;
        let before = self.child.cpu();
        let asked = Instant::now();
        self.send(&Command::Go)?;
        let (mut nodes, mut depth) = (None, None);
        let item = loop {
            match self.response().await? {
                Response::Move(item) => break item,
                Response::NodeStats { nodes: count, .. } => nodes = Some(count),
                Response::Hint(hint) => depth = Some(hint.depth.number),
                _ => {}
            }
        };
        self.took = Some(asked.elapsed());
        let Move::Place(square) = item.mv else {
            return Err(Failure {
                fault: Fault::IllegalMove {
                    answer: item.to_string(),
                },
            });
        };
        let used = |(after, before): (Duration, _)| after.saturating_sub(before);
        Ok(Choice {
            score: item.value.map(|value| value.hundredths() as f32 / 100.0),
            depth: depth.filter(|&depth| depth <= 60),
            nodes,
            cpu: self.child.cpu().zip(before).map(used),
            ..Choice::bare(square)
        })
    }

    /// Ends the program.
    pub(crate) async fn close(mut self) {
        // If it does not read, the end of its input will tell it.
        let _ = self.send(&Command::Quit);
        self.child.close().await;
    }

    /// Waits until the program has done all that it was sent.
    async fn synchronise(&mut self) -> Result<(), Failure> {
        self.pings += 1;
        self.send(&Command::Ping(self.pings))?;
        loop {
            match self.response().await? {
                Response::Pong(number) if number == self.pings => return Ok(()),
                Response::Move(item) => {
                    return Err(broken(format!(
                        "expected pong {}, got === {item}",
                        self.pings
                    )));
                }
                _ => {}
            }
        }
    }

    fn send(&mut self, command: &Command) -> Result<(), Failure> {
        self.child.ask(&command.to_string())
    }

    /// The next line that is one of the protocol's; programs print others too.
    async fn response(&mut self) -> Result<Response, Failure> {
        loop {
            match self.responses.next() {
                Some(Ok(response)) => return Ok(response),
                Some(Err(error)) if error.text().trim_start().starts_with("===") => {
                    return Err(broken(format!("the answer to go: {error}")));
                }
                Some(Err(noise)) => tracing::debug!(%noise, "no response"),
                None => {
                    let bytes = self.child.bytes().await?;
                    self.responses.push(&bytes);
                }
            }
        }
    }
}

fn clock(game: GameTime) -> ggf::Clock {
    ggf::Clock {
        increment: game.increment,
        ..ggf::Clock::new(game.base)
    }
}
