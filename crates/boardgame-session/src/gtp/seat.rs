//! The controller's side of one seat.

use alloc::{
    collections::VecDeque,
    format,
    string::{String, ToString as _},
    vec::Vec,
};
use core::time::Duration;

use boardgame_core::{ByColor, ClockState, Color, Game, TimeControl};

use super::{Command, GtpGame, OvertimeWords, Response, Responses, parse_score};
use crate::{
    Conventions, Note, NoteLimiter, Opening, Said, SeatActions, SeatEvent, SeatFault, SeatFormat,
    Timestamp, Verdict, Wait,
};

/// Options of a [`GtpSeat`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GtpSeatOptions {
    /// Lines sent to a program once, after `boardsize` and before its first game. It has to accept them.
    pub setup: Vec<String>,
    /// The time to become ready for a game, and again to acknowledge its end.
    pub ready: Duration,
    /// The time that an answer may take beyond what the clock allows.
    pub grace: Duration,
    /// The limit of an answer where the clock has none.
    pub untimed: Option<Duration>,
}

impl Default for GtpSeatOptions {
    /// No setup, 30 s to become ready, no grace, and no limit without a clock.
    fn default() -> Self {
        Self {
            setup: Vec::new(),
            ready: Duration::from_secs(30),
            grace: Duration::ZERO,
            untimed: None,
        }
    }
}

/// The controller's side of one seat: a program that speaks GTP, asked by `genmove`.
///
/// A program serves any number of games; after the [end of its output](crate::SeatSession::end_of_input) the next game
/// starts with a new one. It is sent the moves of both sides by `play` when it is to move and when the game is over.
/// One command is sent at a time, without an id, since some programs cannot read ids. A program that passes by itself
/// may refuse a pass sent to it.
///
/// `final_score` is asked where the [game](GtpGame::final_scores) wants it: a false one is a [`Said::FalseClaim`], and
/// an error after the end of the game is noted and changes no result. The seat hangs up on a program that still owes an
/// answer when its game is decided or called off.
#[derive(Clone, Debug)]
pub struct GtpSeat<G: GtpGame> {
    options: GtpSeatOptions,
    /// The commands that the program knows, once it has listed them.
    commands: Option<Vec<String>>,
    /// The board size sent to it with its setup lines.
    board_size: Option<u32>,
    game: Option<SeatGame<G::Game>>,
    stage: Stage,
    /// The commands to be sent.
    queue: VecDeque<Step>,
    /// The command that was sent and is not answered yet.
    awaited: Option<Step>,
    wait: Option<Wait>,
    responses: Responses,
    notes: NoteLimiter,
    actions: SeatActions<MoveOf<G>>,
}

type MoveOf<G> = <<G as GtpGame>::Game as Game>::Move;

/// The game as far as the seat knows it.
#[derive(Clone, Debug)]
struct SeatGame<B: Game> {
    setup: B::Setup,
    color: Color,
    clocks: ByColor<ClockState>,
    position: B,
    /// The moves not yet sent to the program.
    untold: VecDeque<Command>,
    /// The program's own move, until it is accepted.
    chosen: Option<B::Move>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// There is no game, or the program no longer matters to it.
    Idle,
    /// The program is getting ready for a game.
    Beginning,
    /// The game is in progress and nothing is asked.
    Waiting,
    /// The program was asked at that time.
    Choosing(Timestamp),
    /// The game is over, and the program is being informed.
    Ending,
}

/// A command with the meaning of its response.
#[derive(Clone, Debug)]
struct Step {
    line: String,
    purpose: Purpose,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// The program has to accept it.
    Demand,
    /// It lists the commands that it knows.
    List,
    /// It is sent a pass, which it may refuse.
    Pass,
    /// It is told the rules, which it may refuse.
    Rules,
    Choose,
    Score,
    /// It belongs to a void game.
    Void,
}

impl<G: GtpGame> GtpSeat<G> {
    /// Returns a seat before its first game.
    pub fn new(options: GtpSeatOptions) -> Self {
        Self {
            options,
            commands: None,
            board_size: None,
            game: None,
            stage: Stage::Idle,
            queue: VecDeque::new(),
            awaited: None,
            wait: None,
            responses: Responses::default(),
            notes: NoteLimiter::new(),
            actions: SeatActions::default(),
        }
    }

    /// Queues the commands up to the start of the game, for a program whose commands are known.
    fn prepare(&mut self) {
        let Some(game) = &self.game else {
            return;
        };
        let size = G::board_size(&game.setup);
        let setup = G::setup_commands(&game.setup, &|command| self.knows(command));
        let rules = G::rules_command(&game.setup, &|command| self.knows(command));
        let control = game.clocks[game.color].control();
        let settings = self.overtime_words(control).time_settings(control);
        let told = self.board_size.replace(size);
        if told != Some(size) && self.knows("boardsize") {
            self.demand(&Command::new("boardsize").argument(size));
        }
        if told.is_none() {
            for line in &self.options.setup {
                if let Ok(None) = Command::parse(line.as_bytes()) {
                    // It has no response.
                    continue;
                }
                let line = line.trim_end().into();
                let purpose = Purpose::Demand;
                self.queue.push_back(Step { line, purpose });
            }
        }
        self.demand(&Command::new("clear_board"));
        if let Some(command) = rules {
            self.push(&command, Purpose::Rules);
        }
        match setup {
            Ok(commands) => commands.iter().for_each(|command| self.demand(command)),
            Err(error) => {
                let detail = error.to_string();
                return self.fail(SeatFault::CannotBegin { detail });
            }
        }
        if let Some(settings) = settings.filter(|settings| self.knows(&settings.name)) {
            self.demand(&settings);
        }
        self.catch_up();
    }

    /// Queues the moves not yet sent to the program.
    fn catch_up(&mut self) {
        let untold = self
            .game
            .as_mut()
            .map(|game| core::mem::take(&mut game.untold));
        for command in untold.unwrap_or_default() {
            let is_pass = (command.arguments.last())
                .is_some_and(|vertex| vertex.eq_ignore_ascii_case("pass"));
            let purpose = if is_pass {
                Purpose::Pass
            } else {
                Purpose::Demand
            };
            self.push(&command, purpose);
        }
    }

    fn wait_until_ready(&mut self, now: Timestamp) {
        self.wait = Some(Wait::new(now, self.options.ready));
    }

    fn knows(&self, command: &str) -> bool {
        (self.commands.iter().flatten()).any(|known| known == command)
    }

    fn overtime_words(&self, control: &TimeControl) -> OvertimeWords {
        OvertimeWords::new(control, |command| self.knows(command))
    }

    fn demand(&mut self, command: &Command) {
        self.push(command, Purpose::Demand);
    }

    fn push(&mut self, command: &Command, purpose: Purpose) {
        let line = command.to_string();
        self.queue.push_back(Step { line, purpose });
    }

    /// Sends the next command unless an answer is awaited; without one, the wait of the stage is over.
    fn advance(&mut self) {
        if self.awaited.is_some() {
            return;
        }
        if let Some(step) = self.queue.pop_front() {
            self.actions.send(format!("{}\n", step.line));
            self.awaited = Some(step);
        } else if self.stage == Stage::Beginning {
            self.stage = Stage::Waiting;
            self.wait = None;
            self.actions.event(SeatEvent::Ready);
        } else if self.stage == Stage::Ending {
            self.complete();
        }
    }

    fn take(&mut self, response: &Response, now: Timestamp) {
        let Some(step) = self.awaited.take() else {
            let text = format!("expected nothing unasked, {:?} came", response.text);
            return self.note(Note::fault(text));
        };
        match step.purpose {
            Purpose::Choose if response.success => return self.answered(&response.text, now),
            Purpose::Score if response.success => self.claimed(&response.text),
            Purpose::Score | Purpose::Pass => {}
            Purpose::Rules => {
                if !response.success {
                    let text = format!("{:?} is refused: {}", step.line, response.text);
                    self.note(Note::fault(text));
                }
            }
            Purpose::Void => self.wait_until_ready(now),
            _ if !response.success => return self.refused(&step, &response.text),
            Purpose::List => {
                let commands = response.text.split_whitespace().map(String::from);
                self.commands = Some(commands.collect());
                self.prepare();
            }
            Purpose::Demand | Purpose::Choose => {}
        }
        self.advance();
    }

    fn answered(&mut self, text: &str, now: Timestamp) {
        let (Stage::Choosing(asked), Some(game)) = (self.stage, &mut self.game) else {
            return;
        };
        self.stage = Stage::Waiting;
        self.wait = None;
        if text.eq_ignore_ascii_case("resign") {
            return self.actions.event(SeatEvent::Resign);
        }
        let mv = match G::parse_vertex(&game.position, text) {
            Ok(mv) => mv,
            Err(error) => {
                return self.fail(SeatFault::format(format!("the answer to genmove: {error}")));
            }
        };
        if let Err(illegal) = game.position.clone().play(mv) {
            let detail = illegal.to_string();
            return self.fail(SeatFault::IllegalMove {
                mv: mv.to_string(),
                detail,
            });
        }
        game.chosen = Some(mv);
        self.actions.answer(mv, now - asked);
    }

    fn claimed(&mut self, text: &str) {
        let scores =
            (self.game.as_ref()).map_or(Vec::new(), |game| G::final_scores(&game.position));
        match parse_score(text) {
            None => {
                let text = format!("expected a score such as B+10, {text:?} came");
                self.note(Note::fault(text));
            }
            Some(claim) if scores.contains(&claim) => {}
            Some(claim) => self.actions.event(SeatEvent::Said(Said::FalseClaim(claim))),
        }
    }

    fn refused(&mut self, step: &Step, text: &str) {
        let Step { line, .. } = step;
        let detail = format!("expected it to carry out {line:?}, got {text:?}");
        self.fail(SeatFault::Format { detail });
    }

    fn complete(&mut self) {
        self.stage = Stage::Idle;
        self.wait = None;
        self.actions.event(SeatEvent::Completed);
    }

    fn note(&mut self, note: Note) {
        if let Some(note) = self.notes.admit(note) {
            self.actions.note(note);
        }
    }
}

impl<B: Game> SeatGame<B> {
    /// Plays a move that the program is to be told.
    fn play<G: GtpGame<Game = B>>(&mut self, mv: B::Move) -> Result<(), B::IllegalMove> {
        let color = self.position.side_to_move();
        let vertex = G::vertex(&self.position, mv);
        self.position.play(mv)?;
        self.untold.push_back(Command::play(color, vertex));
        Ok(())
    }
}

impl<G: GtpGame> SeatFormat for GtpSeat<G> {
    type Game = G::Game;

    const CONVENTIONS: Conventions = Conventions {
        asks_forced_moves: false,
        closing_moves: false,
    };

    fn actions(&mut self) -> &mut SeatActions<MoveOf<G>> {
        &mut self.actions
    }

    fn begin(&mut self, opening: Opening<G::Game>, now: Timestamp) {
        self.queue.clear();
        self.notes.reset();
        if let Some(step) = &mut self.awaited {
            // It is answered first, within its own time.
            step.purpose = Purpose::Void;
        }
        if self.awaited.is_none() || self.wait.and_then(|wait| wait.deadline()).is_none() {
            self.wait_until_ready(now);
        }
        self.stage = Stage::Beginning;
        let mut game = SeatGame {
            position: G::Game::new(&opening.setup),
            setup: opening.setup,
            color: opening.color,
            clocks: opening.clocks,
            untold: VecDeque::new(),
            chosen: None,
        };
        for mv in opening.moves {
            if let Err(illegal) = game.play::<G>(mv) {
                let detail = illegal.to_string();
                return self.fail(SeatFault::CannotBegin { detail });
            }
        }
        self.game = Some(game);
        if self.commands.is_none() {
            self.push(&Command::new("list_commands"), Purpose::List);
        } else {
            self.prepare();
        }
        self.advance();
    }

    fn choose(&mut self, clocks: ByColor<ClockState>, now: Timestamp) {
        let Some(game) = self.game.as_ref().filter(|_| self.stage == Stage::Waiting) else {
            return;
        };
        let color = game.color;
        let clock = clocks[color];
        self.wait = Some(Wait::for_move(now, &clock, self.options.grace).or(self.options.untimed));
        self.stage = Stage::Choosing(now);
        self.catch_up();
        let words = self.overtime_words(clock.control());
        if let Some(left) = words
            .time_left(color, &clock)
            .filter(|_| self.knows("time_left"))
        {
            self.demand(&left);
        }
        self.push(&Command::genmove(color), Purpose::Choose);
        self.advance();
    }

    fn played(&mut self, color: Color, mv: MoveOf<G>) {
        let Some(game) = &mut self.game else {
            return;
        };
        let is_known = game.chosen.take() == Some(mv) && color == game.color;
        // The conductor has judged it.
        let _ = game.play::<G>(mv);
        if is_known {
            game.untold.pop_back();
        }
    }

    fn over(&mut self, _: bool, now: Timestamp) {
        if self.stage != Stage::Waiting {
            return self.complete();
        }
        self.stage = Stage::Ending;
        self.wait_until_ready(now);
        self.catch_up();
        let asks =
            (self.game.as_ref()).is_some_and(|game| !G::final_scores(&game.position).is_empty());
        if asks && self.knows("final_score") {
            self.push(&Command::new("final_score"), Purpose::Score);
        }
        self.advance();
    }

    /// Ends the game for the program, which is kept if it owes no answer.
    fn leave(&mut self) {
        self.stage = Stage::Idle;
        self.game = None;
        self.wait = None;
        self.queue.clear();
        if self.awaited.take().is_some() {
            self.actions.hang_up();
        }
    }

    fn read(&mut self, bytes: &[u8], now: Timestamp) {
        self.responses.push(bytes);
        while let Some(response) = self.responses.next_response() {
            match response {
                Ok(response) => self.take(&response, now),
                Err(error) => self.note(Note::fault(format!("between responses: {error}"))),
            }
        }
    }

    fn read_end(&mut self, _: Timestamp) {
        self.commands = None;
        self.board_size = None;
        self.awaited = None;
        self.responses = Responses::default();
        if self.stage != Stage::Idle {
            self.fail(SeatFault::Left);
        }
    }

    fn exit(&mut self, _: bool, _: Timestamp) {}

    fn wait(&self) -> Option<Wait> {
        self.wait
    }

    /// Gives up on the program: it loses a game in progress.
    fn fail(&mut self, fault: SeatFault) {
        let color = self.game.as_ref().map(|game| game.color);
        let over = color.filter(|_| self.stage == Stage::Ending);
        self.leave();
        if let Some(color) = over {
            let cause = Verdict::forfeit(color, fault).cause;
            self.note(Note::fault(format!("after the end of the game: {cause}")));
            self.actions.hang_up();
            self.actions.event(SeatEvent::Completed);
        } else {
            self.actions.fault(fault);
        }
    }
}
