//! The referee's session.

use std::collections::VecDeque;

use othello_core::{Board, Color, Game, Move};

use super::{messages, opening, player::start, utterance};
use crate::{HostFormat, Script, host_session};
use othello_proto::{
    session::{HostAction, HostEvent, HostSession, Timestamp},
    sloan::{CommentRelay, Message, OpeningPass, Referee, RefereeOptions},
};

/// The referee relays legal moves alone, each once; a decided game is told to both sides; it
/// complains at most once of a message; it sends at most one opening pass a game, before the first
/// move; it begins a game again at most once, and then starts each program anew at most once; it
/// ends.
pub fn referee(data: &[u8]) {
    let choice = Script::new(data).byte();
    let options = RefereeOptions {
        start: start(choice),
        opening_pass: match (choice & 1, choice >> 6 & 1) {
            (0, 0) => OpeningPass::Auto,
            (0, _) => OpeningPass::Always,
            _ => OpeningPass::Never,
        },
        comments: [CommentRelay::Filter, CommentRelay::PassOn][usize::from(choice >> 1 & 1)],
        output_per_turn: if choice & 32 == 0 { 64 * 1024 } else { 40 },
        ..RefereeOptions::default()
    };
    let mut format = Format {
        start: options.start,
        board: options.start,
        opening_passes: usize::from(options.opening_pass != OpeningPass::Never),
        restarts: usize::from(options.opening_pass == OpeningPass::Auto),
        launches: [0; 2],
        relays: options.comments == CommentRelay::PassOn,
        told: [false; 2],
    };
    let rest = data.get(1..).unwrap_or_default();
    host_session(&mut format, Watched::new(Referee::new(options)), rest);
}

struct Format {
    start: Board,
    /// The board as the relayed moves make it.
    board: Board,
    /// The opening passes that may still be sent.
    opening_passes: usize,
    /// The number of times that the game may still begin again.
    restarts: usize,
    /// The programs that may be started anew.
    launches: [usize; 2],
    relays: bool,
    /// The seats that were told a claim.
    told: [bool; 2],
}

impl Format {
    /// The game begins again, once.
    fn restarted(&mut self) {
        assert!(self.restarts > 0, "a game begins again and again");
        assert!(self.told == [false; 2], "a decided game begins again");
        assert_eq!(self.opening_passes, 0, "nothing was there to be misread");
        self.restarts = 0;
        self.launches = [1; 2];
        // For a program that waits for it.
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
            Message::Claim(_) => self.told[seat as usize] = true,
            Message::Comment(_) => {}
            Message::Ready(_) | Message::Play => panic!("{message} was sent"),
        }
    }

    fn relayed(&mut self, mv: Move, by: Color) {
        let opening_pass = mv == Move::Pass && self.board.side_to_move() != by;
        if opening_pass {
            assert!(self.told == [false; 2], "an opening pass after the end");
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
    type Session = Watched;

    fn speak(&mut self, script: &mut Script<'_>, session: &Watched, seat: Color) -> Vec<u8> {
        if !session.began && script.pick(4) != 3 {
            return opening(script, Message::Ready);
        }
        // Mostly the side to move speaks its own part.
        utterance(script, session.game().board(), seat)
    }

    fn acted(&mut self, session: &Watched, action: &HostAction) {
        match action {
            HostAction::Send { seat, bytes } => {
                for message in messages(bytes) {
                    self.sent(*seat, &message);
                }
            }
            HostAction::Event(HostEvent::Restarted) => self.restarted(),
            HostAction::Launch(seat) => {
                let launches = &mut self.launches[*seat as usize];
                assert!(*launches > 0, "a program started in mid-game");
                *launches -= 1;
            }
            HostAction::Finish(verdict) => {
                let played = verdict.cause.culprit().is_none();
                let told = self.told.iter().filter(|told| **told).count();
                assert!(told == 2 || (played && told == 1), "a verdict nobody heard");
                assert!(!played || verdict.board.is_over());
                assert!(!played || verdict.winner == verdict.board.leader());
                assert_eq!(verdict.board, session.game().board());
            }
            _ => {}
        }
        assert!(self.relays || session.max_comments <= 1);
    }
}

/// A referee that is fed byte by byte, so that what it does can be laid to one message.
struct Watched {
    referee: Referee,
    done: VecDeque<HostAction>,
    began: bool,
    /// The most comments to one seat that one byte brought about.
    max_comments: usize,
}

impl Watched {
    const fn new(referee: Referee) -> Self {
        Self {
            referee,
            done: VecDeque::new(),
            began: false,
            max_comments: 0,
        }
    }

    fn watch(&mut self, act: impl FnOnce(&mut Referee)) {
        act(&mut self.referee);
        let mut comments = [0; 2];
        while let Some(action) = self.referee.poll() {
            self.began |= action == HostAction::Event(HostEvent::Began);
            if let HostAction::Send { seat, bytes } = &action {
                let sent = messages(bytes);
                comments[*seat as usize] += sent
                    .iter()
                    .filter(|m| matches!(m, Message::Comment(_)))
                    .count();
            }
            self.done.push_back(action);
        }
        let [black, white] = comments;
        self.max_comments = self.max_comments.max(black).max(white);
    }
}

impl HostSession for Watched {
    fn start(&mut self, now: Timestamp) {
        self.watch(|referee| referee.start(now));
    }

    fn receive(&mut self, seat: Color, bytes: &[u8], now: Timestamp) {
        for byte in bytes {
            self.watch(|referee| referee.receive(seat, &[*byte], now));
        }
    }

    fn end_of_input(&mut self, seat: Color, now: Timestamp) {
        self.watch(|referee| referee.end_of_input(seat, now));
    }

    fn exited(&mut self, seat: Color, success: bool, now: Timestamp) {
        self.watch(|referee| referee.exited(seat, success, now));
    }

    fn deadline(&self) -> Option<Timestamp> {
        self.referee.deadline()
    }

    fn tick(&mut self, now: Timestamp) {
        self.watch(|referee| referee.tick(now));
    }

    fn poll(&mut self) -> Option<HostAction> {
        self.done.pop_front()
    }

    fn game(&self) -> &Game {
        self.referee.game()
    }
}
