//! The seats of engines: ours, and programs by their protocol.

mod commands;
mod lth;
mod own;
mod wire;

use std::io;

use boardgame_core::{Margin, TimeControl};
use boardgame_io::CommandLine;
use boardgame_match::{
    GameReport, LocalSeat,
    engine::{Engine, OpenError, OpenSeat, Patience, SeatRequest},
    fault::Fault,
    limit::Limit,
};
use boardgame_session::SeatFault;
use othello_core::{Board, Color, Empties, Game};
use othello_host::{likely_cause::Loser, replay::replay};

use crate::{
    engine::{EngineSpec, Kind, OwnSettings},
    protocol::{Allowance, Protocol, WireFormat},
    record::Othello,
};
use own::OwnEngine;

/// A program that speaks a wire format, before its game.
#[derive(Clone, Debug)]
struct WireProgram<'a> {
    format: WireFormat,
    line: &'a CommandLine,
    allowance: Allowance,
    patience: &'a Patience,
    /// The program's colour.
    color: Color,
    /// True if the program took an opening pass for an answer before.
    misreads_opening: bool,
}

/// The seat of an engine, which plays any number of games, one at a time.
///
/// # Examples
///
/// ```
/// use boardgame_core::ByColor;
/// use boardgame_match::{
///     EngineId, GameId, GameSpec,
///     engine::{Patience, play},
/// };
/// use othello_core::Board;
/// use othello_match::{engine::EngineSpec, engine_seat::EngineSeat};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let seat = |text: &str| -> Result<_, Box<dyn std::error::Error>> {
///     let spec = EngineSpec { limit: "depth:1".parse()?, ..text.parse()? };
///     Ok(EngineSeat::new(spec, Patience::default(), true))
/// };
/// let mut seats = ByColor { black: seat("a=own:hash=1")?, white: seat("b=own:hash=1")? };
/// let id = GameId { opening: 0, black: EngineId(0), white: EngineId(1) };
/// let played = play(id, &GameSpec::new(Board::START), seats.as_mut(), |_| {}).await;
/// assert!(played.faults.is_empty());
/// # Ok(())
/// # }
/// ```
pub type EngineSeat = boardgame_match::engine::EngineSeat<EngineSpec>;

/// The error of a format where every game starts on the usual board.
#[derive(Debug, thiserror::Error)]
#[error("the {0} format begins every game on the usual board")]
struct CannotBeginHere(WireFormat);

impl Engine for EngineSpec {
    type Format = Othello;

    fn name(&self) -> &str {
        &self.name
    }

    fn limit(&self) -> Limit {
        self.limit
    }

    fn set_limit(&mut self, limit: Limit) {
        self.limit = limit;
    }

    /// Returns the time of the limit, or else of the engine's wire format.
    fn time(&self) -> TimeControl {
        let allowance = self
            .wire_format()
            .and_then(|format| Allowance::new(format, self.limit).ok());
        allowance.map_or_else(|| *self.limit.clock().control(), Allowance::time_control)
    }

    fn has_process_per_move(&self) -> bool {
        self.wire_format()
            .is_some_and(WireFormat::has_a_process_for_each_move)
    }

    fn is_local(&self) -> bool {
        matches!(self.kind, Kind::Own(_))
    }

    fn threads(&self) -> usize {
        match &self.kind {
            Kind::Own(settings) => settings.threads.get(),
            Kind::Program { .. } => 1,
        }
    }

    fn fingerprint(&self) -> Option<String> {
        match &self.kind {
            Kind::Own(settings) => {
                let checksum = |(name, number): (&str, u32)| format!("{name}={number:08x}");
                let weights = settings.weights.as_ref();
                let book = settings.book.as_ref();
                let files = [
                    weights.map(|weights| ("weights", weights.checksum())),
                    book.map(|own| ("book", own.book.checksum())),
                ];
                let files: Vec<_> = files.into_iter().flatten().map(checksum).collect();
                (!files.is_empty()).then(|| files.join(","))
            }
            Kind::Program { .. } => None,
        }
    }

    async fn open(&self, request: &SeatRequest<'_, Board>) -> Result<OpenSeat<Board>, OpenError> {
        match &self.kind {
            Kind::Own(settings) => self.open_own(settings.clone(), request),
            Kind::Program {
                protocol,
                line,
                setup,
            } => {
                let seeded = line.with_seed(request.game.seed);
                let patience = request.patience;
                let seat = match *protocol {
                    Protocol::Gtp => commands::gtp(seeded, setup, patience),
                    Protocol::Nboard => commands::nboard(seeded, setup, self.limit, patience),
                    Protocol::Wire(format) => self.open_wire(format, &seeded, request).await?,
                };
                Ok(OpenSeat {
                    is_kept: seat.is_kept && !line.takes_seed(),
                    ..seat
                })
            }
        }
    }

    fn likely_cause(
        &self,
        fault: &SeatFault,
        color: Color,
        game: &GameReport<Board>,
    ) -> Option<String> {
        let Kind::Program { protocol, .. } = self.kind else {
            return None;
        };
        let loser = Loser {
            answers: protocol.answers(),
            game: &replay(game),
            color,
            output: &game.seats[color].last_output,
        };
        loser.likely_cause(fault)
    }

    fn false_result(&self, claim: Margin, position: &Board) -> Fault {
        let score = |empties| position.score(Color::Black, empties).discs();
        let (claim, truth) = if self.wire_format().is_none() {
            (
                claim.to_string(),
                format!("{:+} for Black", score(Empties::ToWinner)),
            )
        } else {
            let truth = if position.is_over() {
                format!("({})", score(Empties::OnBoard))
            } else {
                "open".into()
            };
            (format!("({})", claim.half_points() / 2), truth)
        };
        Fault::FalseResult { claim, truth }
    }
}

impl EngineSpec {
    /// Returns the wire format that the engine speaks, if it speaks one.
    const fn wire_format(&self) -> Option<WireFormat> {
        match self.kind {
            Kind::Program {
                protocol: Protocol::Wire(format),
                ..
            } => Some(format),
            _ => None,
        }
    }

    fn open_own(
        &self,
        settings: OwnSettings,
        request: &SeatRequest<'_, Board>,
    ) -> Result<OpenSeat<Board>, OpenError> {
        let own = OwnEngine::new(settings, self.limit, request.alone).map_err(OpenError::new)?;
        let seat = LocalSeat::new(self.name.clone(), own.clone()).map_err(OpenError::new)?;
        Ok(OpenSeat {
            new_game: Some(Box::new(move |limit| own.new_game(limit))),
            ..OpenSeat::kept(seat)
        })
    }

    async fn open_wire(
        &self,
        format: WireFormat,
        line: &CommandLine,
        request: &SeatRequest<'_, Board>,
    ) -> Result<OpenSeat<Board>, OpenError> {
        if !format.takes(&opening(request)) {
            return Err(OpenError::new(CannotBeginHere(format)));
        }
        let program = WireProgram {
            format,
            line,
            allowance: Allowance::new(format, self.limit)
                .map_err(|carried| OpenError::new(io::Error::other(carried)))?,
            patience: request.patience,
            color: request.color,
            misreads_opening: request.misreads_opening,
        };
        Ok(OpenSeat {
            seat: program.seat().await?,
            new_game: None,
            is_kept: false,
        })
    }
}

/// Returns the opening of the game for which a seat is opened.
fn opening(request: &SeatRequest<'_, Board>) -> Game {
    let mut opening = Game::new(request.game.setup);
    for &mv in &request.game.opening {
        // The source of the opening has checked it.
        let _ = opening.play(mv);
    }
    opening
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_false_result_is_told_in_the_words_of_the_protocol() {
        // The shortest possible game: White has no disc left.
        let over: Game = "e6f4e3f6g5d6e7f5c5".parse().unwrap();
        let told = |engine: &str, points: i32, board: Board| {
            let engine: EngineSpec = engine.parse().unwrap();
            match engine.false_result(Margin::from_points(points), &board) {
                Fault::FalseResult { claim, truth } => (claim, truth),
                other => panic!("{other:?}"),
            }
        };
        let expected = |claim: &str, truth: &str| (claim.to_owned(), truth.to_owned());
        let (sloan, gtp) = ("a=sloan:a", "a=gtp:a");
        assert_eq!(told(sloan, -64, Board::START), expected("(-64)", "open"));
        assert_eq!(told(sloan, -3, over.board()), expected("(-3)", "(13)"));
        assert_eq!(
            told(gtp, -3, over.board()),
            expected("W+3", "+64 for Black")
        );
    }
}
