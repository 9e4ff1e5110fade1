//! The Go Text Protocol, version 2, for Go: the vocabulary for seats of programs that speak it, and the engine's side.

mod game;
mod player;

pub use boardgame_session::gtp::{
    Command, GtpSeat, GtpSeatOptions,
    player::{Load, PlayerOptions},
};
pub use game::Go;
pub use player::{GoGame, LoadError};

/// The engine's side of a session.
///
/// # Examples
///
/// ```
/// use go_core::{Move, Point};
/// use go_proto::gtp::{Player, PlayerOptions};
/// use go_proto::session::{Action, Decision, PlayerSession, Timestamp};
///
/// let now = Timestamp::ORIGIN;
/// let mut player = Player::new(PlayerOptions::default());
/// player.start(now);
/// player.receive(b"1 genmove b\n", now);
/// let Some(Action::Think(task)) = player.poll() else {
///     panic!("a move is asked for");
/// };
/// let point: Point = "Q16".parse()?;
/// player.decide(Decision { task: task.id, answer: Move::from(point).into() }, now);
/// assert_eq!(player.poll(), Some(Action::Send(b"=1 Q16\n\n".to_vec())));
/// # Ok::<(), go_core::ParseTextError>(())
/// ```
pub type Player = boardgame_session::gtp::player::Player<GoGame>;
