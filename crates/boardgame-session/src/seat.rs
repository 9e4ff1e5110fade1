//! The host's side of a format for one seat of a game.

use alloc::{string::String, vec::Vec};
use core::time::Duration;

use boardgame_core::{ByColor, ClockState, Color, Game, Margin};

use crate::{Note, Timestamp, Verdict};

/// The host's side of a wire format for one seat, as a state machine without I/O.
///
/// The conductor of a game gives [orders](Order) to the sessions of both seats and takes their [events](SeatEvent). It
/// keeps the game and the clocks; the session keeps the part of them that it needs to read the program's messages, and
/// enforces the program's time.
///
/// A game goes like this: both seats are ordered to [begin](Order::Begin) and report that they are
/// [ready](SeatEvent::Ready). The side to move is asked to [choose](Order::Choose), answers with a
/// [move](SeatEvent::Move), and both are informed that it was [played](Order::Played). When the rules end the game,
/// both are informed that it is [over](Order::Over) and report when their format's part in the end is
/// [complete](SeatEvent::Completed). Both get the [verdict](Order::Conclude) and report when they are
/// [closed](SeatEvent::Closed). A [fault](SeatEvent::Fault) leads to the verdict at any time before that.
///
/// Events that a seat gave before an order may reach the conductor after it.
///
/// A session whose program stays for many games is ordered to [begin](Order::Begin) again once a game is concluded or
/// called off. Its program's output may end between games: then the next game starts with a new program, or with none.
///
/// Whatever it is fed, an implementation does not panic; after [`end_of_input`](Self::end_of_input)
/// every order leads to the event that is awaited or to a fault.
pub trait SeatSession<G: Game> {
    /// Returns the conventions of the format.
    fn conventions(&self) -> Conventions;

    /// Takes an order of the conductor.
    fn order(&mut self, order: Order<G>, now: Timestamp);

    /// Takes bytes from the program, split anywhere.
    fn receive(&mut self, bytes: &[u8], now: Timestamp);

    /// Takes the end of the program's output.
    fn end_of_input(&mut self, now: Timestamp);

    /// Takes the end of the program itself, after the end of its output; `success` is whether its exit status was 0.
    /// Never called if the seat is no program of ours.
    fn exited(&mut self, success: bool, now: Timestamp) {
        let _ = (success, now);
    }

    /// Returns when to call [`tick`](Self::tick) next, if time alone changes anything.
    fn deadline(&self) -> Option<Timestamp>;

    /// Takes the passing of time.
    fn tick(&mut self, now: Timestamp);

    /// Returns the next action, or `None` until more input or time is fed.
    fn poll(&mut self) -> Option<SeatAction<G::Move>>;
}

/// The conventions of a format apart from the moves that a program chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conventions {
    /// True if the program is asked for a move that the rules [force](Game::forced_move) as for any
    /// other; otherwise the conductor plays it.
    pub asks_forced_moves: bool,
    /// True if programs make [closing moves](Said::ClosingMove) once the game is over.
    pub closing_moves: bool,
}

/// An order of the conductor of a game to a seat.
#[derive(Clone, Debug)]
pub enum Order<G: Game> {
    /// A game starts, from the position that the moves lead to. Any game in progress is void.
    Begin {
        /// The setup agreed on before the first move.
        setup: G::Setup,
        /// The moves that were made before the programs play, such as an opening's.
        moves: Vec<G::Move>,
        /// The colour of the seat.
        color: Color,
        /// The clocks of both sides.
        clocks: ByColor<ClockState>,
        /// The time that a move may take beyond what the clock allows.
        tolerance: Duration,
    },
    /// The seat is to move. Its time starts when the program is asked.
    Choose {
        /// The clocks of both sides.
        clocks: ByColor<ClockState>,
    },
    /// A move was accepted: of either seat, or one that the conductor played because it was forced.
    Played {
        /// The side that moved.
        color: Color,
        /// The move.
        mv: G::Move,
    },
    /// The program at the other seat said something that the format passes on.
    Said(Said<G::Move>),
    /// The rules have ended the game. No more moves are asked for.
    Over {
        /// The result, if the rules give one.
        margin: Option<Margin>,
        /// True if the program at the other seat makes [closing moves](Said::ClosingMove).
        other_closes: bool,
    },
    /// The game is decided: the program is sent the result in its format, and the session ends.
    Conclude(Verdict),
    /// The game is called off: the session ends without a result.
    CallOff,
}

/// An action that a session asks its driver for.
#[derive(Clone, Debug, PartialEq)]
pub enum SeatAction<M> {
    /// Start the seat's program, in place of the one before. A seat that is no program ignores it.
    Launch,
    /// Write these bytes to the program and flush.
    Send(Vec<u8>),
    /// Close the program's input once everything sent is delivered. A program then gets a grace period before it is
    /// ended.
    HangUp,
    /// Tell the conductor.
    Event(SeatEvent<M>),
    /// Write this to the log.
    Note(Note),
}

/// An event of a seat for the conductor of the game.
#[derive(Clone, Debug, PartialEq)]
pub enum SeatEvent<M> {
    /// The seat can play the game that was begun.
    Ready,
    /// The answer to [`Order::Choose`]: legal as far as the session can tell.
    Move(M, Thought),
    /// The program resigns the game.
    Resign,
    /// The program sent a message other than a move.
    Said(Said<M>),
    /// The program misread the opening of the game: it is to start over, for both seats.
    Restart,
    /// The program's part in the end of a game that is [over](Order::Over) is complete.
    Completed,
    /// The program has lost the game by a fault. Only the verdict is awaited.
    Fault(SeatFault),
    /// The session has ended after the verdict, and no event follows in this game.
    Closed,
}

/// The evaluation that a program reports with a move, and the cost of the move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Thought {
    /// The time from the question to the arrival of the last bytes of the answer.
    pub took: Duration,
    /// The CPU time of the program, if known.
    pub cpu: Option<Duration>,
    /// The user CPU time of the program, measured in games whose clocks count it.
    pub user_cpu: Option<Duration>,
    /// The expected margin in points, from the point of view of the side that moves.
    pub score: Option<f32>,
    /// The depth of the search, in plies.
    pub depth: Option<u32>,
    /// The positions searched.
    pub nodes: Option<u64>,
    /// True if the move comes from an opening book.
    pub from_book: bool,
}

/// A message of a program other than a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said<M> {
    /// A remark, without the format's syntax.
    Comment(String),
    /// A claim of the game's correct result.
    Claim(Margin),
    /// A claim of a result that the game does not have, or not yet.
    FalseClaim(Margin),
    /// A move after the end of the game, such as the passes with which some formats end it.
    ClosingMove(M),
}

/// A fault that loses the game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SeatFault {
    /// The program made an illegal move.
    IllegalMove {
        /// The move.
        mv: String,
        /// The move and what is wrong with it.
        detail: String,
    },
    /// The program's time ran out; made by [`SeatFault::overtime`].
    Overtime {
        /// The time used, the limit, and the input that was received.
        detail: String,
    },
    /// The program broke the format.
    Format {
        /// The expected input and the input that came.
        detail: String,
    },
    /// The program did not work while its move was awaited.
    Idle {
        /// The real time without an increase of its user CPU time.
        for_time: Duration,
    },
    /// The program started another process, which the rules of the tournament forbid.
    Forked,
    /// The program left before the end.
    Left,
    /// The format cannot express the game that was begun.
    CannotBegin {
        /// The part of the game that the format cannot express.
        detail: String,
    },
}
