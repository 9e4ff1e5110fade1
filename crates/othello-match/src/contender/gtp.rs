//! A program that speaks the Go Text Protocol, on an 8x8 board.
//!
//! What programs of others need is on the protocol's page in the documentation: no ids, lower
//! case, and passes that some demand and others refuse.

use std::time::Duration;

use boardgame_core::ClockState;
use boardgame_io::CommandLine;
use othello_core::{Board, Color, Empties, Game, Move, Score};
use othello_proto::gtp::{Answer, Command, Response, Responses, parse_answer};

use super::{
    Choice, Failure,
    child::{Child, broken},
};
use boardgame_match::{fault::Fault, limit::Limit};

/// A program at work.
pub(crate) struct Gtp {
    child: Child,
    responses: Responses,
    /// What it says it knows.
    commands: Vec<String>,
    limit: Limit,
    /// How many moves of the game it has been told, or has made.
    told: usize,
}

impl Gtp {
    /// Starts a program and asks what it knows; it is sent `setup` then.
    ///
    /// # Errors
    ///
    /// When it does not start, or refuses the board or a command of the setup.
    pub(crate) async fn open(
        line: &CommandLine,
        limit: Limit,
        setup: &[String],
    ) -> Result<Self, Failure> {
        let mut gtp = Self {
            child: Child::launch(line)?,
            responses: Responses::default(),
            commands: Vec::new(),
            limit,
            told: 0,
        };
        let known = gtp.demand(&Command::new("list_commands")).await?;
        gtp.commands = known.split_whitespace().map(str::to_owned).collect();
        if gtp.knows("boardsize") {
            gtp.demand(&Command::new("boardsize").argument(8)).await?;
        }
        for command in setup {
            gtp.demand_line(command).await?;
        }
        Ok(gtp)
    }

    /// Sets up the game.
    ///
    /// # Errors
    ///
    /// When the program refuses it, or it begins elsewhere than all games do and the program does
    /// not know `gogui-setup`.
    pub(crate) async fn begin(&mut self, game: &Game) -> Result<(), Failure> {
        self.told = 0;
        self.demand(&Command::new("clear_board")).await?;
        if game.start() != Board::START {
            self.set_up(game.start()).await?;
        }
        self.set_time().await?;
        self.catch_up(game).await
    }

    /// Puts a position on the board by the commands of GoGui: GTP itself has none.
    async fn set_up(&mut self, board: Board) -> Result<(), Failure> {
        let player = board.side_to_move();
        if !["gogui-setup", "gogui-setup_player"]
            .map(|name| self.knows(name))
            .contains(&false)
        {
            let discs = Color::ALL.into_iter().flat_map(|color| {
                let squares = board.discs(color).into_iter();
                squares.map(move |square| (color, square))
            });
            let setup = discs.fold(Command::new("gogui-setup"), |command, (color, square)| {
                command.argument(name(color)).argument(square)
            });
            self.demand(&setup).await?;
            let player = Command::new("gogui-setup_player").argument(name(player));
            self.demand(&player).await?;
            return Ok(());
        }
        Err(broken(
            "expected gogui-setup and gogui-setup_player among its commands, which an opening that \
             no moves lead to needs"
                .into(),
        ))
    }

    /// Has the program choose and make a move.
    ///
    /// # Errors
    ///
    /// When it fails, passes or gives up.
    pub(crate) async fn choose(
        &mut self,
        game: &Game,
        clock: &ClockState,
    ) -> Result<Choice, Failure> {
        let color = game.side_to_move();
        self.catch_up(game).await?;
        self.tell_clock(color, clock).await?;
        let before = self.child.cpu();
        let text = self.demand(&Command::genmove(color)).await?;
        let cpu = self.child.cpu().zip(before);
        let fault = match parse_answer(&text) {
            Ok(Answer::Move(Move::Place(square))) => {
                self.told = game.moves().len() + 1;
                let used = |(after, before): (Duration, _)| after.saturating_sub(before);
                return Ok(Choice {
                    cpu: cpu.map(used),
                    ..Choice::bare(square)
                });
            }
            Ok(Answer::Move(Move::Pass)) => Fault::IllegalMove { answer: text },
            Ok(Answer::Resign) => Fault::Resigned,
            Err(error) => Fault::Format {
                detail: format!("the answer to genmove: {error}"),
            },
        };
        Err(Failure { fault })
    }

    /// Tells the program of the last moves, and asks its opinion of the result if it has one.
    ///
    /// # Errors
    ///
    /// When it fails, or claims another result.
    pub(crate) async fn conclude(&mut self, game: &Game) -> Result<(), Failure> {
        if !game.is_over() {
            return Ok(());
        }
        self.catch_up(game).await?;
        if !self.knows("final_score") {
            return Ok(());
        }
        let claim = self.ask(&Command::new("final_score")).await?;
        let truth = [Empties::ToWinner, Empties::OnBoard]
            .map(|empties| game.board().score(Color::Black, empties));
        if !claim.success || truth.contains(&claimed(&claim.text)?) {
            return Ok(());
        }
        Err(Failure {
            fault: Fault::FalseResult {
                claim: claim.text,
                truth: format!("{:+} for Black", truth[0].discs()),
            },
        })
    }

    /// Ends the program.
    pub(crate) async fn close(mut self) {
        // If it does not read, the end of its input will tell it.
        let _ = self.child.ask("quit");
        self.child.close().await;
    }

    /// Sends the moves of the game that the program does not know.
    async fn catch_up(&mut self, game: &Game) -> Result<(), Failure> {
        let plies: Vec<(Board, Move)> = game.plies().skip(self.told).collect();
        for (board, mv) in plies {
            let response = self.ask(&Command::play(board.side_to_move(), mv)).await?;
            // A program that passes by itself may refuse to be told.
            if !response.success && mv != Move::Pass {
                let text = response.text;
                return Err(broken(format!("expected it to accept {mv}, got {text:?}")));
            }
            self.told += 1;
        }
        Ok(())
    }

    async fn set_time(&mut self) -> Result<(), Failure> {
        let Limit {
            move_time, game, ..
        } = self.limit;
        let main = game.map_or(0, |game| game.base.as_secs());
        let period = move_time.map_or(0, |time| time.as_secs());
        if (main, period) != (0, 0) && self.knows("time_settings") {
            let settings = Command::new("time_settings")
                .argument(main)
                .argument(period)
                .argument(u8::from(period > 0));
            self.demand(&settings).await?;
        }
        Ok(())
    }

    async fn tell_clock(&mut self, color: Color, clock: &ClockState) -> Result<(), Failure> {
        let (left, stones) = match (clock.main(), clock.control().per_move) {
            (Some(left), _) => (left, 0),
            (None, Some(time)) => (time, 1),
            (None, None) => return Ok(()),
        };
        if self.knows("time_left") {
            let told = Command::new("time_left")
                .argument(name(color))
                .argument(left.as_secs())
                .argument(stones);
            self.demand(&told).await?;
        }
        Ok(())
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.iter().any(|known| known == command)
    }

    /// The answer to a command that has to succeed.
    async fn demand(&mut self, command: &Command) -> Result<String, Failure> {
        self.demand_line(&command.to_string()).await
    }

    async fn demand_line(&mut self, line: &str) -> Result<String, Failure> {
        let response = self.ask_line(line).await?;
        if response.success {
            return Ok(response.text);
        }
        let text = response.text;
        Err(broken(format!(
            "expected it to carry out {line:?}, got {text:?}"
        )))
    }

    async fn ask(&mut self, command: &Command) -> Result<Response, Failure> {
        self.ask_line(&command.to_string()).await
    }

    async fn ask_line(&mut self, line: &str) -> Result<Response, Failure> {
        self.child.ask(line.trim_end())?;
        loop {
            match self.responses.next_response() {
                Some(Ok(response)) => return Ok(response),
                Some(Err(noise)) => tracing::debug!(%noise, "between responses"),
                None => {
                    let bytes = self.child.bytes().await?;
                    self.responses.push(&bytes);
                }
            }
        }
    }
}

/// A colour as every program reads it.
const fn name(color: Color) -> char {
    match color {
        Color::Black => 'b',
        Color::White => 'w',
    }
}

/// A result as `final_score` tells it, for Black: `B+10`, `W+2` or `0`.
pub(super) fn claimed(text: &str) -> Result<Score, Failure> {
    let text = text.trim();
    let discs = match text.split_once('+') {
        Some(("B" | "b", discs)) => discs.parse().ok(),
        Some(("W" | "w", discs)) => discs.parse().ok().map(|discs: f32| -discs),
        _ => text.parse().ok(),
    };
    let score = discs.and_then(|discs| Score::new(discs as i32));
    score.ok_or_else(|| broken(format!("expected a score such as B+10, got {text:?}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_read_for_black() {
        let discs = |text| claimed(text).map(Score::discs);
        assert_eq!(discs("B+10"), Ok(10));
        assert_eq!(discs("W+2.0"), Ok(-2));
        assert_eq!(discs("0"), Ok(0));
        assert!(discs("B+65").is_err());
        assert!(discs("Black wins").is_err());
    }
}
