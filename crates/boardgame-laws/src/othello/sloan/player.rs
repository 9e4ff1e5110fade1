//! The player's session.

use std::collections::VecDeque;
use std::time::Duration;

use othello_core::{Board, Color, Empties, Move};

use super::{messages, opening, utterance};
use crate::othello::{Answered, PlayerFormat, Script, player_session};
use othello_proto::{
    session::{Action, Decision, PlayerSession, Progress, Question, Task, Timestamp},
    sloan::{Comments, Message, OPENING_WAIT, Player, PlayerOptions},
};

/// The player never moves illegally, nor moves, passes or claims out of turn; its move comes last;
/// it complains at most once of a message; a decision is answered with a move; it ends.
pub fn player(data: &[u8]) {
    let mut script = Script::new(data);
    let choice = script.byte();
    let options = PlayerOptions {
        start: start(choice),
        opening_wait: match (choice & 1, choice >> 5 & 1) {
            (0, 0) => Some(OPENING_WAIT),
            (0, _) => None,
            _ => Some(Duration::ZERO),
        },
        comments: [Comments::None, Comments::Board][usize::from(choice >> 1 & 1)],
        ..PlayerOptions::default()
    };
    let rest = data.get(1..).unwrap_or_default();
    player_session(&mut Format, Watched::new(Player::new(options)), rest);
}

/// The standard start, or one near the end of a game.
pub(super) fn start(choice: u8) -> Board {
    let endings = [
        // White can move twice and Black not at all.
        "-XOOOOOO OOXXXXOO OOOOOOOO OXXOOXOO OXXOOXOO OOOOOOOO XOOOOOOO -OOOOOO- O",
        // The same with Black to move.
        "-XOOOOOO OOXXXXOO OOOOOOOO OXXOOXOO OXXOOXOO OOOOOOOO XOOOOOOO -OOOOOO- X",
        // A wipe-out within one move.
        "-OX----- -------- -------- -------- -------- -------- -------- -------- X",
    ];
    match choice >> 2 & 7 {
        at @ 1..=3 => endings[usize::from(at) - 1].parse().unwrap_or(Board::START),
        _ => Board::START,
    }
}

struct Format;

impl PlayerFormat for Format {
    type Session = Watched;

    fn speak(&mut self, script: &mut Script<'_>, session: &Watched) -> Vec<u8> {
        match session.player.color() {
            None => opening(script, Message::Assign),
            Some(_) if script.pick(32) == 31 => opening(script, Message::Assign),
            Some(color) => utterance(script, session.player.board(), !color),
        }
    }

    fn asked(&mut self, task: &Task) {
        assert_eq!(task.question.moves, task.question.board.legal_moves());
    }

    fn sent(&mut self, session: &Watched, bytes: &[u8], answered: Option<&Answered<'_>>) {
        let mut sent = messages(bytes);
        let Some(last) = sent.pop() else {
            panic!("nothing was sent");
        };
        let comments = sent.len() + usize::from(matches!(last, Message::Comment(_)));
        for earlier in sent {
            assert!(
                matches!(earlier, Message::Comment(_)),
                "{earlier} too early"
            );
        }
        if let Some(answered) = answered {
            check_answer(answered, &last, session.cause.after);
        } else {
            assert!(comments <= 1, "more than one complaint");
            check_reaction(&last, session.cause);
        }
    }
}

/// A task is answered by a move.
fn check_answer(answered: &Answered<'_>, last: &Message, after: Board) {
    let Message::Move {
        color,
        mv: Move::Place(square),
    } = *last
    else {
        panic!("{last} in answer to a task");
    };
    answered.check(square);
    let mut board = answered.task.question.board;
    assert_eq!(color, board.side_to_move());
    assert_eq!(board.play(square), Ok(()), "an illegal move");
    assert_eq!(board, after);
}

/// Checks a message sent without thinking: no move, and a pass or a claim only where the rules have one.
fn check_reaction(last: &Message, cause: Cause) {
    let Cause { after, color } = cause;
    match *last {
        Message::Ready(ready) => assert_eq!(color, Some(ready)),
        Message::Comment(_) => {}
        Message::Move {
            color: mover,
            mv: Move::Pass,
        } => {
            assert_eq!(color, Some(mover));
            assert_eq!(after.side_to_move(), !mover, "a pass out of turn");
            assert!(after.passed().legal_moves().is_empty(), "a false pass");
        }
        Message::Claim(value) => {
            let ours = after.score(Color::Black, Empties::OnBoard);
            let forfeit = matches!(
                (color, value.discs()),
                (Some(Color::Black), 64) | (Some(Color::White), -64)
            );
            assert!(
                forfeit || (after.is_over() && value == ours),
                "a false claim"
            );
        }
        _ => panic!("{last} without a decision"),
    }
}

/// The state of the session before the action that is polled next.
#[derive(Clone, Copy)]
struct Cause {
    after: Board,
    color: Option<Color>,
}

/// A player that is fed byte by byte, so that what it does can be laid to one message.
struct Watched {
    player: Player,
    done: VecDeque<(Action, Cause)>,
    cause: Cause,
    claims: usize,
}

impl Watched {
    fn new(player: Player) -> Self {
        let cause = Cause {
            after: player.board(),
            color: None,
        };
        Self {
            player,
            done: VecDeque::new(),
            cause,
            claims: 0,
        }
    }

    fn watch(&mut self, act: impl FnOnce(&mut Player)) {
        act(&mut self.player);
        let cause = Cause {
            after: self.player.board(),
            color: self.player.color(),
        };
        let mut pieces = 0;
        while let Some(action) = self.player.poll() {
            pieces += usize::from(matches!(action, Action::Send(_)));
            self.count_claims(&action);
            self.done.push_back((action, cause));
        }
        assert!(pieces <= 2, "{pieces} pieces sent upon one event");
    }

    /// At most one claim a game.
    fn count_claims(&mut self, action: &Action) {
        let Action::Send(bytes) = action else {
            return;
        };
        for message in messages(bytes) {
            match message {
                Message::Ready(_) => self.claims = 0,
                Message::Claim(_) => self.claims += 1,
                _ => {}
            }
        }
        assert!(self.claims <= 1, "a second claim");
    }
}

impl PlayerSession for Watched {
    type Question = Question;

    fn start(&mut self, now: Timestamp) {
        self.watch(|player| player.start(now));
    }

    fn receive(&mut self, bytes: &[u8], now: Timestamp) {
        for byte in bytes {
            self.watch(|player| player.receive(&[*byte], now));
        }
    }

    fn end_of_input(&mut self, now: Timestamp) {
        self.watch(|player| player.end_of_input(now));
    }

    fn decide(&mut self, decision: Decision, now: Timestamp) {
        self.watch(|player| player.decide(decision, now));
    }

    fn deadline(&self) -> Option<Timestamp> {
        self.player.deadline()
    }

    fn tick(&mut self, now: Timestamp) {
        self.watch(|player| player.tick(now));
    }

    fn poll(&mut self) -> Option<Action> {
        let (action, cause) = self.done.pop_front()?;
        self.cause = cause;
        Some(action)
    }

    fn progress(&self) -> Progress {
        self.player.progress()
    }
}
