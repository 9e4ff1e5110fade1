//! The referee's session.

use boardgame_core::{ByColor, TimeControl};
use boardgame_session::GameEvent;
use othello_core::{Board, Color, Move};

use super::{messages, opening, player::start, utterance};
use crate::{
    host_game,
    othello::{HostAction, HostFormat, HostedGame, HostedGameOptions, Script},
};
use othello_proto::sloan::{GAME_TIME, Message, OpeningPass, RefereeOptions, RefereeSeat};

/// The referee relays only legal moves, each once; both sides get the result of a decided game; it complains at most
/// once about a message; it sends at most one opening pass per game, before the first move; it starts a game over at
/// most once, and launches each program anew at most once before that and once after; it ends.
pub fn referee(data: &[u8]) {
    let choice = Script::new(data).byte();
    let options = RefereeOptions {
        opening_pass: match (choice & 1, choice >> 6 & 1) {
            (0, 0) => OpeningPass::Auto,
            (0, _) => OpeningPass::Always,
            _ => OpeningPass::Never,
        },
        output_per_turn: if choice & 32 == 0 { 64 * 1024 } else { 40 },
        ..RefereeOptions::default()
    };
    let time = TimeControl {
        main: Some(GAME_TIME),
        ..TimeControl::default()
    };
    let game = HostedGameOptions {
        tolerance: options.tolerance,
        relays_comments: choice & 2 != 0,
        ..HostedGameOptions::new(start(choice), time)
    };
    let mut format = Format {
        start: game.setup,
        board: game.setup,
        opening_passes: usize::from(options.opening_pass != OpeningPass::Never),
        restarts: usize::from(options.opening_pass == OpeningPass::Auto),
        launches: ByColor::new_with(|_| 1),
        relays: game.relays_comments,
        began: false,
        comments: ByColor::default(),
        told: ByColor::default(),
    };
    let rest = data.get(1..).unwrap_or_default();
    let seats = ByColor::new_with(|_| RefereeSeat::new(options.clone()));
    host_game(&mut format, HostedGame::new(game, seats), rest);
}

struct Format {
    start: Board,
    /// The board after the relayed moves.
    board: Board,
    /// The opening passes that may still be sent.
    opening_passes: usize,
    /// The number of times that the game may still start over.
    restarts: usize,
    /// The number of times that each program may be launched anew.
    launches: ByColor<usize>,
    relays: bool,
    began: bool,
    /// The comments sent to each seat on the last event.
    comments: ByColor<usize>,
    /// The seats that were sent a claim.
    told: ByColor<bool>,
}

impl Format {
    /// The game starts over, once.
    fn restarted(&mut self) {
        assert!(self.restarts > 0, "a game begins again and again");
        assert!(
            !self.told.black && !self.told.white,
            "a decided game begins again"
        );
        assert_eq!(self.opening_passes, 0, "nothing was there to be misread");
        self.restarts = 0;
        self.launches = ByColor::new_with(|_| 1);
        // For a program that waits for one.
        self.opening_passes = 1;
        self.board = self.start;
    }

    fn sent(&mut self, seat: Color, message: &Message) {
        match *message {
            Message::Assign(color) => assert_eq!(color, seat),
            Message::Move { color, mv } => {
                assert_eq!(color, !seat, "a move sent to its maker");
                self.relayed(mv, color);
            }
            Message::Claim(_) => self.told[seat] = true,
            Message::Comment(_) => self.comments[seat] += 1,
            Message::Ready(_) | Message::Play => panic!("{message} was sent"),
        }
    }

    fn relayed(&mut self, mv: Move, by: Color) {
        let opening_pass = mv == Move::Pass && self.board.side_to_move() != by;
        if opening_pass {
            assert!(
                !self.told.black && !self.told.white,
                "an opening pass after the end"
            );
            assert_eq!(self.board, self.start, "an opening pass in mid-game");
            assert!(self.opening_passes > 0, "an opening pass too many");
            self.opening_passes -= 1;
        } else if self.board.is_over() && mv == Move::Pass {
            self.board = self.board.passed();
        } else {
            assert_eq!(self.board.play(mv), Ok(()), "an illegal move was relayed");
        }
    }
}

impl HostFormat for Format {
    type Game = Board;
    type Seat = RefereeSeat;

    // Output on one byte can be attributed to one message.
    const MAX_CHUNK: usize = 1;

    fn speak(
        &mut self,
        script: &mut Script<'_>,
        game: &HostedGame<RefereeSeat>,
        seat: Color,
    ) -> Vec<u8> {
        if !self.began && script.pick(4) != 3 {
            return opening(script, Message::Ready);
        }
        // Mostly the side to move plays its own part.
        utterance(script, *game.position(), seat)
    }

    fn acted(&mut self, _: &Board, action: &HostAction) {
        match action {
            HostAction::Send { seat, bytes } => {
                for message in messages(bytes) {
                    self.sent(*seat, &message);
                }
            }
            HostAction::Event(GameEvent::Began) => {
                self.began = true;
                self.launches = ByColor::default();
            }
            HostAction::Event(GameEvent::Restarted) => self.restarted(),
            HostAction::Launch(seat) => {
                let launches = &mut self.launches[*seat];
                assert!(*launches > 0, "a program started in mid-game");
                *launches -= 1;
            }
            HostAction::Finish(verdict) => {
                let played = verdict.cause.culprit().is_none();
                let told = self.told.iter().filter(|told| **told).count();
                assert!(told == 2 || (played && told == 1), "a verdict nobody heard");
            }
            _ => {}
        }
    }

    fn settled(&mut self) {
        let comments = std::mem::take(&mut self.comments);
        assert!(self.relays || comments.iter().all(|&count| count <= 1));
    }
}
