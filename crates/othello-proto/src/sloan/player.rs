//! The program's side: what it answers to a referee.

mod opening;
mod options;
mod remarks;

use alloc::{collections::VecDeque, format, string::ToString as _, vec::Vec};
use core::time::Duration;

use othello_core::{Board, Color, IllegalMove, Move, Score, Square};

use super::{
    ClaimReading, Dialect, Frame, Framer, MAX_COMPLAINTS, Message, Parsed,
    claim::{forfeit_to, own_claim},
    complaint::Complaint,
    print::print_line,
};
use crate::{
    remarks::Remarks,
    session::{
        Action, Clock, Decision, Effort, Ending, Note, PlayerSession, Task, TaskId, Timestamp,
    },
};

pub(super) use options::OPENING_WAIT_SHARE;
pub use options::{OPENING_WAIT, PlayerOptions};
pub use remarks::Comments;

/// The player's session.
///
/// # Examples
///
/// ```
/// use othello_proto::session::{Action, PlayerSession, Timestamp};
/// use othello_proto::sloan::{Player, PlayerOptions};
///
/// let mut player = Player::new(PlayerOptions::default());
/// player.start(Timestamp::ORIGIN);
/// player.receive(b"(I W)", Timestamp::ORIGIN);
/// assert_eq!(player.poll(), Some(Action::Send(b"(R W)\n".to_vec())));
/// ```
#[derive(Clone, Debug)]
pub struct Player {
    options: PlayerOptions,
    framer: Framer,
    actions: VecDeque<Action>,
    game: Option<GameInPlay>,
    next_task: u64,
    /// The complaints sent since the last message that could be used.
    complaints: u32,
    /// The remarks since a game began or the other side moved.
    remarks: Remarks,
    input_ended: bool,
    finished: bool,
}

/// The game as the player sees it.
#[derive(Clone, Debug)]
struct GameInPlay {
    color: Color,
    board: Board,
    stage: Stage,
    /// Whether we move first and the other side has placed no disc yet, so that an opening pass may
    /// be late.
    opening: bool,
    /// Whether the last thing the other side did was to pass.
    opponent_passed: bool,
    /// The time that our moves took.
    used: Duration,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    /// We move first and have waited for the cue since a moment.
    AwaitingCue { since: Timestamp },
    /// The other side is to move, or to claim.
    Waiting,
    /// We are to move.
    Thinking(Task),
    /// We claimed the end and wait for the answer.
    Claimed,
    /// Both sides agree that the game is over, as far as it concerns us.
    Over,
}

impl Player {
    /// A session that has not begun.
    pub fn new(options: PlayerOptions) -> Self {
        Self {
            options,
            framer: Framer::default(),
            actions: VecDeque::new(),
            game: None,
            next_task: 0,
            complaints: 0,
            remarks: Remarks::default(),
            input_ended: false,
            finished: false,
        }
    }

    fn frame(&mut self, frame: &Frame, now: Timestamp) {
        if *frame == Frame::StrayParenthesis {
            return self.lenient(
                "stray-parenthesis",
                "a closing parenthesis that closes nothing",
            );
        }
        match frame.parse() {
            Ok(parsed) => self.parsed(parsed, now),
            Err(error) => self.complain(&Complaint::Unreadable(error)),
        }
    }

    fn parsed(&mut self, parsed: Parsed, now: Timestamp) {
        for name in parsed.leniencies.names() {
            self.lenient(name, &format!("read as {}", parsed.message));
        }
        let handled = self.message(parsed.message, now);
        match handled {
            Ok(()) => self.complaints = 0,
            Err(complaint) => self.complain(&complaint),
        }
    }

    /// Does what a message asks for, or says what is wrong with it.
    fn message(&mut self, message: Message, now: Timestamp) -> Result<(), Complaint> {
        match message {
            Message::Assign(color) => self.begin(color, now),
            Message::Play => {}
            Message::Comment(text) => self.remark(Note::info(format!("comment: {text}"))),
            Message::Ready(_) => {
                return Err(Complaint::NotYours(message));
            }
            Message::Move { .. } | Message::Claim(_) => {
                let Some(mut game) = self.game.take() else {
                    return Err(Complaint::NoGame(message));
                };
                let handled = match message {
                    Message::Claim(value) => self.claimed(&mut game, value),
                    Message::Move { color, mv } => self.moved(&mut game, color, mv, now),
                    _ => Ok(()),
                };
                self.game = Some(game);
                return handled;
            }
        }
        Ok(())
    }

    /// Begins a game, whatever there was before.
    fn begin(&mut self, color: Color, now: Timestamp) {
        if let Some(mut game) = self.game.take() {
            self.abandon(&mut game);
        }
        self.remarks.reset();
        self.send(&[Message::Ready(color)]);
        let first = self.options.start.side_to_move() == color;
        let game = GameInPlay {
            color,
            board: self.options.start,
            stage: if first {
                Stage::AwaitingCue { since: now }
            } else {
                Stage::Waiting
            },
            opening: first,
            opponent_passed: false,
            used: Duration::ZERO,
        };
        self.game = Some(game);
        self.tick(now);
    }

    /// Takes a move or a pass of the other side.
    fn moved(
        &mut self,
        game: &mut GameInPlay,
        color: Color,
        mv: Move,
        now: Timestamp,
    ) -> Result<(), Complaint> {
        let message = Message::Move { color, mv };
        if color == game.color {
            return Err(Complaint::NotYours(message));
        }
        match (game.stage, mv) {
            (Stage::AwaitingCue { .. }, Move::Pass) => {}
            (Stage::Waiting, _) => match game.opponent_plays(mv) {
                // Of a pass and a late cue, which look alike, the cue may still come.
                Ok(()) => game.opening &= mv == Move::Pass,
                Err(_) if game.opening && mv == Move::Pass => {
                    self.late_cue();
                    return Ok(());
                }
                Err(illegal) => return Err(Complaint::Illegal(message, illegal)),
            },
            (Stage::Thinking(_), Move::Pass) if game.opening => {
                self.late_cue();
                return Ok(());
            }
            (Stage::Claimed | Stage::Over, Move::Pass) => {
                self.remark(Note::info("a pass after the end"));
                return Ok(());
            }
            (Stage::AwaitingCue { .. } | Stage::Thinking(_), _) => {
                return Err(Complaint::OutOfTurn(message));
            }
            (Stage::Claimed | Stage::Over, _) => {
                return Err(Complaint::Over(message));
            }
        }
        self.remarks.reset();
        game.opponent_passed = mv == Move::Pass;
        self.take_turn(game, now);
        Ok(())
    }

    /// Has a move chosen; or passes, or claims, without one.
    fn take_turn(&mut self, game: &mut GameInPlay, now: Timestamp) {
        let moves = game.board.legal_moves();
        if !moves.is_empty() {
            let task = Task {
                id: TaskId(self.next_task),
                board: game.board,
                moves,
                clock: Clock {
                    started: now,
                    game: (self.options.game_time).map(|all| all.saturating_sub(game.used)),
                    per_move: None,
                },
                effort: Effort::default(),
            };
            self.next_task += 1;
            game.stage = Stage::Thinking(task);
            self.actions.push_back(Action::Think(task));
        } else if game.opponent_passed && game.board.is_over() {
            game.stage = Stage::Claimed;
            self.send(&[Message::Claim(own_claim(game.board))]);
        } else {
            game.board = game.board.passed();
            game.stage = Stage::Waiting;
            self.send(&[Message::Move {
                color: game.color,
                mv: Move::Pass,
            }]);
        }
    }

    /// Makes the move that was decided on.
    fn make_move(
        &mut self,
        game: &mut GameInPlay,
        task: &Task,
        decision: &Decision,
        now: Timestamp,
    ) {
        let square = self.allowed(task, decision.square);
        let Ok(()) = game.board.play(square) else {
            return; // A task's moves are the legal ones.
        };
        game.used += now - task.clock.started;
        game.stage = Stage::Waiting;
        let assessment = decision.assessment.as_ref();
        let mut messages = remarks::on_move(self.options.comments, assessment, game.board);
        messages.push(Message::Move {
            color: game.color,
            mv: Move::Place(square),
        });
        self.send(&messages);
    }

    /// The square, or one that the task allows in its place.
    fn allowed(&mut self, task: &Task, square: Square) -> Square {
        let replacement = task.moves.first();
        match replacement {
            Some(first) if !task.moves.contains(square) => {
                let text = format!("{square} was decided on but is illegal; playing {first}");
                self.note(Note::fault(text));
                first
            }
            _ => square,
        }
    }

    /// Takes the claim that the game is over.
    fn claimed(&mut self, game: &mut GameInPlay, value: Score) -> Result<(), Complaint> {
        let claim = Message::Claim(value);
        let over = game.board.is_over();
        let reading = ClaimReading::of(value, game.board).filter(|_| over);
        if let Stage::Claimed | Stage::Over = game.stage {
            game.stage = Stage::Over;
            self.remark(match reading {
                Some(reading) => Note::info(format!("{claim} received: {reading}")),
                None => Note::fault(format!("{claim} received after the end does not fit")),
            });
            return Ok(());
        }
        let ours = own_claim(game.board);
        if let Some(reading) = reading {
            self.accept(reading, ours, value);
        } else if value == forfeit_to(game.color) {
            self.abandon(game);
            self.note(Note::info(format!("{claim} taken as a forfeit")));
            self.send(&[claim]);
        } else if over {
            self.note(Note::fault(format!(
                "{claim} does not fit; it is ({})",
                ours.discs()
            )));
            let text = Complaint::Misfit(value).to_string();
            self.send(&[Message::Comment(text), Message::Claim(ours)]);
        } else {
            return Err(Complaint::NotOver(value));
        }
        game.stage = Stage::Over;
        Ok(())
    }

    /// Answers a true claim with our own figure, and says under which reading it is true.
    fn accept(&mut self, reading: ClaimReading, ours: Score, value: Score) {
        let text = format!("the value {} is accepted as {reading}", value.discs());
        if let Some(name) = reading.leniency() {
            self.lenient(name, &text);
            self.send(&[Message::Comment(text), Message::Claim(ours)]);
        } else {
            self.note(Note::info(text));
            self.send(&[Message::Claim(ours)]);
        }
    }

    fn abandon(&mut self, game: &mut GameInPlay) {
        if let Stage::Thinking(_) = game.stage {
            self.actions.push_back(Action::Abandon);
            game.stage = Stage::Over;
        }
    }

    /// Complains of a message, to the log and, unless it was done too often, to the other side.
    fn complain(&mut self, complaint: &Complaint) {
        let text = complaint.to_string();
        self.remark(Note::fault(text.as_str()));
        if self.complaints < MAX_COMPLAINTS {
            self.complaints += 1;
            self.send(&[Message::Comment(text)]);
        }
    }

    /// Sends messages in one piece.
    fn send(&mut self, messages: &[Message]) {
        let dialect = self.framer.dialect().unwrap_or_default();
        let bytes: Vec<u8> = print_line(messages, dialect).into_bytes();
        self.actions.push_back(Action::Send(bytes));
    }

    fn lenient(&mut self, name: &'static str, text: &str) {
        self.remark(Note::leniency(name, text));
    }

    /// Makes a remark on input, unless there were too many.
    fn remark(&mut self, note: Note) {
        let note = self.remarks.admit(note);
        self.actions.extend(note.map(Action::Note));
    }

    fn note(&mut self, note: Note) {
        self.actions.push_back(Action::Note(note));
    }

    fn drain(&mut self, now: Timestamp) {
        let mut known = self.framer.dialect();
        while let Some(frame) = self.framer.next_frame() {
            if known.is_none() && self.framer.dialect() == Some(Dialect::Lines) {
                self.lenient("no-parentheses", "the referee writes no parentheses");
            }
            known = self.framer.dialect();
            self.frame(&frame, now);
        }
    }

    /// Finishes once the input is at its end, unless a move is still owed.
    fn finish_if_ended(&mut self) {
        let stage = self.game.as_ref().map(|game| game.stage);
        if self.input_ended && !self.finished && !matches!(stage, Some(Stage::Thinking(_))) {
            self.finished = true;
            self.actions.push_back(Action::Finish(self.ending()));
        }
    }

    fn ending(&self) -> Ending {
        match &self.game {
            Some(game) if !matches!(game.stage, Stage::Over) && !game.board.is_over() => {
                Ending::CutOff
            }
            _ => Ending::Orderly,
        }
    }
}

impl GameInPlay {
    /// Plays a move of the other side; a pass also when the game is over.
    fn opponent_plays(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if mv == Move::Pass && self.board.is_over() {
            self.board = self.board.passed();
            return Ok(());
        }
        self.board.play(mv)
    }
}

impl PlayerSession for Player {
    fn start(&mut self, _now: Timestamp) {}

    fn receive(&mut self, bytes: &[u8], now: Timestamp) {
        if !self.input_ended {
            self.framer.push(bytes);
            if self.framer.take_mark() {
                self.lenient("byte-order-mark", "skipped");
            }
            self.drain(now);
        }
    }

    fn end_of_input(&mut self, now: Timestamp) {
        if self.input_ended {
            return;
        }
        self.framer.finish();
        self.drain(now);
        self.input_ended = true;
        self.finish_if_ended();
    }

    fn decide(&mut self, decision: Decision, now: Timestamp) {
        let Some(mut game) = self.game.take() else {
            return;
        };
        if let Stage::Thinking(task) = game.stage
            && task.id == decision.task
        {
            self.make_move(&mut game, &task, &decision, now);
        }
        self.game = Some(game);
        self.finish_if_ended();
    }

    fn deadline(&self) -> Option<Timestamp> {
        self.opening_deadline().filter(|_| !self.finished)
    }

    fn tick(&mut self, now: Timestamp) {
        if self.deadline().is_some_and(|deadline| deadline <= now) {
            self.open_without_cue();
        }
    }

    fn poll(&mut self) -> Option<Action> {
        self.actions.pop_front()
    }

    fn board(&self) -> Board {
        self.game
            .as_ref()
            .map_or(self.options.start, |game| game.board)
    }

    fn color(&self) -> Option<Color> {
        self.game.as_ref().map(|game| game.color)
    }
}

#[cfg(test)]
mod tests;
