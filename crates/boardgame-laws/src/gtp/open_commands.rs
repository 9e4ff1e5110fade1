//! The commands that the engine's side of a session is to answer.

use std::collections::VecDeque;

use boardgame_session::{
    framing::{Line, Lines},
    gtp::{Command, Response, player::EngineGame},
    player::{Ending, PeerMisbehaved, Question},
};

use super::all_responses;
use crate::PlayerEvent;

/// The commands fed to a session that it has not answered yet.
///
/// The laws: each line that is no comment has one response, in order, with its id and in the form of the specification,
/// before the session waits for anything but a decision; only listed commands are known; `quit` and the end of input
/// end the session, and only a flood of commands ends it earlier.
#[derive(Clone, Debug)]
pub struct OpenCommands {
    /// The names of all commands of the game.
    known: Vec<&'static str>,
    lines: Lines,
    /// `None` is an unreadable line.
    open: VecDeque<Option<Command>>,
    /// The bytes received since the latest task was opened.
    waiting: usize,
    input_ended: bool,
    has_quit: bool,
    finished: bool,
}

impl OpenCommands {
    /// Returns an empty list for a session of a game.
    pub fn of<E: EngineGame>() -> Self {
        Self {
            known: E::COMMANDS.iter().map(|(name, _)| *name).collect(),
            lines: Lines::default(),
            open: VecDeque::new(),
            waiting: 0,
            input_ended: false,
            has_quit: false,
            finished: false,
        }
    }

    /// Takes input that the session is about to get.
    pub fn fed(&mut self, event: PlayerEvent<'_>) {
        match event {
            PlayerEvent::Received(bytes) => {
                self.waiting += bytes.len();
                self.lines.push(bytes);
            }
            PlayerEvent::Ended => {
                self.input_ended = true;
                self.lines.finish();
            }
        }
        while let Some(line) = self.lines.next_line() {
            let read = match &line {
                Line::Whole(line) => Command::parse(line).ok(),
                Line::TooLong => None,
            };
            match read {
                Some(Some(command)) => self.open.push_back(Some(command)),
                Some(None) => {} // A comment is answered by nothing.
                None => self.open.push_back(None),
            }
        }
    }

    /// Takes a task, and returns the command that opened it.
    pub fn asked(&mut self) -> &Command {
        self.waiting = 0;
        let command = self.open.front().and_then(Option::as_ref);
        command.expect("a task without a command")
    }

    /// Checks a response of the session and returns it with the command that it answers; `None` is an unreadable line.
    pub fn answered(&mut self, bytes: &[u8]) -> (Option<Command>, Response) {
        assert!(!self.has_quit, "an answer after that to quit");
        let response = only_response(bytes);
        let command = self.open.pop_front().expect("a response to nothing");
        let id = command.as_ref().and_then(|command| command.id);
        assert_eq!(response.id, id, "{command:?} is answered {response}");
        match &command {
            Some(command) => self.check_vocabulary(command, &response),
            None => assert!(!response.success, "{response}"),
        }
        (command, response)
    }

    /// Checks which commands are known.
    fn check_vocabulary(&mut self, command: &Command, response: &Response) {
        let Response { success, text, .. } = response;
        let knows = |name: &str| self.known.contains(&name);
        let is_unknown = !success && text == "unknown command";
        assert_eq!(is_unknown, !knows(&command.name), "{command}: {response}");
        match (command.name.as_str(), &command.arguments[..]) {
            ("list_commands", []) => {
                assert!(success);
                assert!(text.lines().eq(self.known.iter().copied()), "{text}");
            }
            ("known_command", [name]) => assert_eq!(*text, knows(name).to_string(), "{command}"),
            ("quit", []) => self.has_quit = true,
            _ => {}
        }
    }

    /// Checks that nothing is left to answer, unless the session waits for a decision.
    pub fn settled(&self, is_thinking: bool) {
        if !self.finished {
            assert!(!self.has_quit, "no end after quit");
            assert!(is_thinking || self.open.is_empty(), "{:?}", self.open);
        }
    }

    /// Checks the end of the session.
    pub fn finished<Q: Question>(&mut self, ending: &Ending<Q>) {
        self.finished = true;
        match ending {
            Ending::Orderly => {
                let is_answered = self.input_ended && self.open.is_empty();
                assert!(self.has_quit || is_answered, "an early end");
            }
            Ending::Unintelligible(PeerMisbehaved::TooManyCommands { max_bytes }) => {
                assert!(self.waiting > *max_bytes, "{} are no flood", self.waiting);
            }
            other => panic!("{other:?}"),
        }
    }
}

/// Parses bytes as one response, in exactly its printed form.
fn only_response(bytes: &[u8]) -> Response {
    let Ok([Ok(response)]) = <[_; 1]>::try_from(all_responses(bytes)) else {
        panic!("not one response: {}", bytes.escape_ascii());
    };
    assert_eq!(response.to_string().as_bytes(), bytes);
    response
}
