//! Laws of the parsers and sessions of `othello-proto`, of `othello-records` and of `othello-check`.

pub mod codewarriors;
pub mod ggf;
pub mod gtp;
pub mod gui;
pub mod lth;
pub mod nboard;
pub mod proofs;
pub mod records;
pub mod sloan;

use crate::{HostFormat, Law, PlayerFormat, Script, host_game};
use boardgame_session::{Cause, Verdict};
use othello_core::{Board, Move, Square};
use othello_proto::session::{PlayerSession, Question};

/// Every law of the game, by the name of its fuzz target.
pub const TARGETS: &[(&str, Law)] = &[
    ("codewarriors_parse", codewarriors::parse),
    ("codewarriors_player", codewarriors::player),
    ("codewarriors_judge", codewarriors::judge),
    ("lth_parse", lth::parse),
    ("lth_player", lth::player),
    ("lth_server", lth::server),
    ("gtp_parse", gtp::parse),
    ("gtp_player", gtp::player),
    ("ggf_parse", ggf::parse),
    ("nboard_parse", nboard::parse),
    ("nboard_player", nboard::player),
    ("proof_check", proofs::check),
    ("records_read", records::read),
    ("gui_parse", gui::parse),
    ("gui_player", gui::player),
    ("gui_host", gui::host),
    ("sloan_parse", sloan::parse),
    ("sloan_player", sloan::player),
    ("sloan_referee", sloan::referee),
];

/// A task of a player of Othello that an event answered.
pub type Answered<'a> = crate::Answered<'a, Question>;

/// A game of Othello between the host's sessions of two seats.
pub type HostedGame<S> = crate::HostedGame<Board, S>;

/// Options of a [`HostedGame`].
pub type HostedGameOptions = crate::HostedGameOptions<Board>;

/// An action of the driver of a [`HostedGame`].
pub type HostAction = crate::HostAction<Move>;

/// Feeds a player's session of Othello with the events that `data` spells: see
/// [`crate::player_session`].
fn player_session<F>(format: &mut F, session: F::Session, data: &[u8])
where
    F: PlayerFormat<Session: PlayerSession<Question = Question>>,
{
    let choose = |script: &mut Script<'_>| script.choose(&Square::ALL).into();
    crate::player_session(format, session, choose, data);
}

/// Checks a verdict: see [`crate::check_verdict`]; a game that was played is won on the board.
fn check_verdict(verdict: &Verdict, board: &Board) {
    crate::check_verdict(verdict, board);
    if verdict.cause == Cause::Played {
        assert!(board.is_over());
        assert_eq!(verdict.winner, board.leader());
    }
}
