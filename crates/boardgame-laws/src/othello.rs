//! Laws of `othello-core`, of the parsers and sessions of `othello-proto`, of `othello-records` and of `othello-check`.

pub mod codewarriors;
pub mod core;
pub mod ggf;
pub mod gtp;
pub mod gui;
pub mod lth;
pub mod nboard;
pub mod proofs;
pub mod records;
pub mod sloan;

use std::marker::PhantomData;
use std::time::Duration;

use boardgame_core::{ByColor, TimeControl};
use boardgame_session::SeatSession;

use crate::{HostFormat, Law, PlayerFormat, Script, host_game};
use othello_core::{Board, Color, Move, Square};
use othello_proto::session::{PlayerSession, Question};

/// Every law of the game, by the name of its fuzz target.
pub const TARGETS: &[(&str, Law)] = &[
    ("codewarriors_parse", codewarriors::parse),
    ("codewarriors_player", codewarriors::player),
    ("codewarriors_judge", codewarriors::judge),
    ("core_rules", core::rules),
    ("core_text", core::text),
    ("lth_parse", lth::parse),
    ("lth_player", lth::player),
    ("lth_server", lth::server),
    ("gtp_parse", gtp::parse),
    ("gtp_player", gtp::player),
    ("gtp_host", gtp::host),
    ("ggf_parse", ggf::parse),
    ("nboard_parse", nboard::parse),
    ("nboard_player", nboard::player),
    ("nboard_host", nboard::host),
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

/// Feeds a player's session of Othello with events chosen by `data`: see [`crate::player_session`].
fn player_session<F>(format: &mut F, session: F::Session, data: &[u8])
where
    F: PlayerFormat<Session: PlayerSession<Question = Question>>,
{
    let choose = |script: &mut Script<'_>| script.choose(&Square::ALL).into();
    crate::player_session(format, session, choose, data);
}

/// The laws of a host's game whose programs mostly answer with one of `responses` or a legal move; the first byte of
/// `data` chooses the start.
fn asked_programs<S: SeatSession<Board>>(
    seat: impl Fn() -> S,
    responses: &'static [&'static str],
    print: fn(Move) -> String,
    data: &[u8],
) {
    let (first, events) = data.split_first().unwrap_or((&0, &[]));
    let time = TimeControl {
        per_move: Some(Duration::from_secs(1)),
        ..TimeControl::default()
    };
    let game = HostedGameOptions::new(codewarriors::start(*first), time);
    let game = HostedGame::new(game, ByColor::new_with(|_| seat()));
    let mut law = AskedPrograms {
        responses,
        print,
        seat: PhantomData,
    };
    host_game(&mut law, game, events);
}

struct AskedPrograms<S> {
    responses: &'static [&'static str],
    print: fn(Move) -> String,
    seat: PhantomData<S>,
}

impl<S: SeatSession<Board>> HostFormat for AskedPrograms<S> {
    type Game = Board;
    type Seat = S;

    fn speak(&mut self, script: &mut Script<'_>, game: &HostedGame<S>, seat: Color) -> Vec<u8> {
        let board = *game.position();
        let moves: Vec<Square> = board.legal_moves().iter().collect();
        let (kind, index) = (script.pick(8), usize::from(script.byte()));
        let text = match kind {
            0..3 => self.responses[index % self.responses.len()].to_string(),
            3 => (self.print)(Square::ALL[index % 64].into()),
            _ if seat != board.side_to_move() => return Vec::new(),
            _ if moves.is_empty() => (self.print)(Move::Pass),
            _ => (self.print)(moves[index % moves.len()].into()),
        };
        text.into_bytes()
    }

    fn acted(&mut self, _told: &Board, action: &HostAction) {
        if let HostAction::Send { bytes, .. } = action {
            assert!(bytes.ends_with(b"\n"), "{}", bytes.escape_ascii());
        }
    }
}
