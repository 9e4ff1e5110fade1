//! Games of a check that are over.

use std::time::{Duration, Instant};

use boardgame_core::Color;
use boardgame_io::{Exchange, ExchangeKind, printable};
use boardgame_match::{
    fault::Fault,
    record::{PlayedGame, RecordFormat as _, Side, Thought},
};
use othello_core::{Board, Move, Square};

use super::{
    Failure, ShownExchange, TIME,
    diagnosis::Loss,
    situation::{Situation, Tracker},
};
use crate::{protocol::Protocol, record::Othello};

/// The number of exchanges that are shown of a lost game, without standard error.
const SHOWN_EXCHANGES: usize = 6;

/// The number of bytes that are shown of an exchange.
const MAX_SHOWN: usize = 200;

/// A game of a check that is over.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) color: Color,
    moves: Vec<Move>,
    boards: Vec<Board>,
    pub(super) tracker: Tracker,
    /// The first fault of the program.
    pub(super) fault: Option<Fault>,
    /// The longest time of a move.
    pub(super) longest: Duration,
    /// The time of all moves of the program.
    pub(super) used: Duration,
    began: Instant,
    trace: Vec<Exchange>,
}

impl Played {
    pub(super) fn new(
        color: Color,
        game: &PlayedGame,
        began: Instant,
        trace: Vec<Exchange>,
    ) -> Self {
        let moves = Othello::read_moves(&Board::START, &game.moves).unwrap_or_default();
        let mut tracker = Tracker::new(Board::START, color);
        let mut boards = vec![Board::START];
        for &mv in &moves {
            tracker.play(mv);
            boards.push(tracker.board());
        }
        let own = |(by, thought): (Color, &Thought)| {
            (by == color).then(|| Duration::from_micros(thought.wall_us))
        };
        let times: Vec<Duration> = game.own_moves::<Othello>().filter_map(own).collect();
        let mut faults = game.faults.iter();
        Self {
            color,
            moves,
            boards,
            tracker,
            fault: faults
                .find(|(by, fault)| *by == Side::from(color) && *fault != Fault::MisreadOpening)
                .map(|(_, fault)| fault.clone()),
            longest: times.iter().max().copied().unwrap_or_default(),
            used: times.iter().sum(),
            began,
            trace,
        }
    }

    fn board(&self) -> Board {
        self.tracker.board()
    }

    /// Returns what is shown of the program's fault, if there is one.
    pub(super) fn failure(&self, protocol: Protocol) -> Option<Failure> {
        let fault = self.fault.as_ref()?;
        let last = self.moves.last().copied().and_then(Move::square);
        let loss = Loss {
            protocol,
            program: self.color,
            fault,
            moves: &self.moves,
            boards: &self.boards,
            trace: &self.trace,
        };
        let square = loss.square();
        let legal = self.board().legal_moves();
        Some(Failure {
            fault: printable(&fault.to_string()),
            cause: loss.cause(),
            color: self.color.to_string(),
            moves: Othello::write_moves(&self.moves),
            board: self.board().pretty().last_move(square.or(last)).to_string(),
            square: square.as_ref().map(Square::to_string),
            legal: legal.iter().map(|square| square.to_string()).collect(),
            exchanges: self.last_exchanges(),
        })
    }

    /// Returns the last exchanges, with what came in between on standard error.
    fn last_exchanges(&self) -> Vec<ShownExchange> {
        let is_shown = |it: &Exchange| it.kind != ExchangeKind::Stderr;
        let places = (0..self.trace.len()).rev();
        let mut shown = places.filter(|&at| is_shown(&self.trace[at]));
        let first = shown.nth(SHOWN_EXCHANGES - 1).unwrap_or_default();
        let exchanges = self.trace[first..].iter();
        let text = |bytes: &[u8]| printable(&String::from_utf8_lossy(bytes));
        exchanges
            .map(|it| ShownExchange {
                ms: it.at.saturating_duration_since(self.began).as_millis() as u64,
                stream: match it.kind {
                    ExchangeKind::Sent => "sent",
                    ExchangeKind::Received => "received",
                    ExchangeKind::Stderr => "stderr",
                    ExchangeKind::Closed => "closed",
                },
                text: text(&it.bytes[..it.bytes.len().min(MAX_SHOWN)]),
            })
            .collect()
    }

    /// Returns the name of the case that the fault belongs to.
    pub(super) fn case(&self) -> &'static str {
        let board = self.board();
        let mut moves = self.moves.iter().rev();
        let (last, own_last, before_last) = (moves.next(), moves.next(), moves.next());
        let mut ends = [
            Situation::WipedOut,
            Situation::WipesOut,
            Situation::EarlyEnd,
            Situation::FullBoard,
        ]
        .into_iter()
        .filter(|&end| self.tracker.has(end));
        match &self.fault {
            Some(Fault::NotStarted { .. }) => "start",
            Some(Fault::Crashed { .. }) if self.moves.is_empty() && !self.has_answered() => "start",
            Some(Fault::Late { .. }) => TIME,
            _ if board.is_over() => ends.next().map_or("early-end", Situation::name),
            _ if board.side_to_move() != self.color => self.color_case(),
            _ if board.must_pass() && own_last == Some(&Move::Pass) => {
                Situation::MustPassTwice.name()
            }
            _ if board.must_pass() => Situation::MustPass.name(),
            _ if last == Some(&Move::Pass) && before_last == Some(&Move::Pass) => {
                Situation::OpponentPassesTwice.name()
            }
            _ if last == Some(&Move::Pass) => Situation::OpponentPasses.name(),
            _ => self.color_case(),
        }
    }

    /// Returns whether the program has written anything.
    fn has_answered(&self) -> bool {
        let mut kinds = self.trace.iter().map(|it| it.kind);
        kinds.any(|kind| kind == ExchangeKind::Received)
    }

    const fn color_case(&self) -> &'static str {
        match self.color {
            Color::Black => "black",
            Color::White => "white",
        }
    }
}
