//! Go at the engine's side.

mod analysis;
mod commands;
mod gogui;
mod handicap;
mod life;
mod queries;
mod rules;

use alloc::string::{String, ToString as _};

use boardgame_core::{Color, Margin};
use boardgame_session::gtp::player::{
    EngineGame, Failure, Handler, Request, Turn, commands as common,
};
use go_core::{
    Game, IllegalMove, LifeAndDeath, Move, PlayOut, Position, Rules, Score, Setup, Size, fill_dame,
    sgf::{ParseRecordError, ReadRecord, Record},
};

use super::Go;
use crate::session::{Analysis, Choice, Goal, Note, Progress, Question, progress};
use life::KeptStatus;
pub(super) use rules::{kata_rules, kgs_name};

/// A game of Go at the engine's side of a session.
///
/// Either colour may move at any time, as GTP permits, even after two passes.
#[derive(Clone, Debug, Default)]
pub struct GoGame {
    game: Game,
    /// The rules of this game if it has no moves, and of the next ones.
    rules: Rules,
    status: KeptStatus,
    play_out: Option<PlayOut>,
    /// The number of times that the controller cleared the cache.
    cache: u32,
    /// The position of the last search, and its result.
    searched: Option<(Position, Analysis)>,
    /// The words of the last command of analysis.
    words: analysis::Words,
}

/// A text is not the record of a playable game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// It cannot be parsed.
    #[error(transparent)]
    Record(ParseRecordError),
    /// A move is illegal by the engine's rules.
    #[error(transparent)]
    IllegalMove(IllegalMove),
    /// The record has more moves than the engine keeps.
    #[error("expected at most {max} moves, found {0}", max = GoGame::MAX_MOVES)]
    TooManyMoves(usize),
}

impl EngineGame for GoGame {
    type Words = Go;
    type Question = Question;
    type LoadError = LoadError;

    const TITLE: &'static str = "Go";
    const ANALYZE_COMMANDS: &'static str = gogui::ANALYZE_COMMANDS;
    const COMMANDS: &'static [(&'static str, Handler<Self>)] = &[
        ("protocol_version", common::protocol_version),
        ("name", common::name),
        ("version", common::version),
        ("known_command", common::known_command),
        ("list_commands", common::list_commands),
        ("quit", common::quit),
        ("boardsize", commands::boardsize),
        ("query_boardsize", commands::query_boardsize),
        ("clear_board", common::clear_board),
        ("komi", commands::komi),
        ("get_komi", commands::get_komi),
        ("fixed_handicap", handicap::fixed_handicap),
        ("place_free_handicap", handicap::place_free_handicap),
        ("set_free_handicap", handicap::set_free_handicap),
        ("play", common::play),
        ("genmove", common::genmove),
        ("reg_genmove", common::reg_genmove),
        ("undo", common::undo),
        ("gg-undo", common::gg_undo),
        ("time_settings", common::time_settings),
        ("time_left", common::time_left),
        ("lz-analyze", analysis::lz_analyze),
        ("lz-genmove_analyze", analysis::lz_genmove_analyze),
        ("kata-analyze", analysis::kata_analyze),
        ("kata-genmove_analyze", analysis::kata_genmove_analyze),
        ("top_moves", analysis::top_moves),
        ("is_legal", queries::is_legal),
        ("all_legal", queries::all_legal),
        ("list_stones", queries::list_stones),
        ("captures", queries::captures),
        ("move_history", queries::move_history),
        ("cputime", common::cputime),
        ("clear_cache", queries::clear_cache),
        ("estimate_score", life::estimate_score),
        ("final_score", life::final_score),
        ("final_status_list", life::final_status_list),
        ("loadsgf", common::loadsgf),
        ("printsgf", queries::printsgf),
        ("showboard", common::showboard),
        ("list_games", common::list_games),
        ("set_game", common::set_game),
        ("kgs-rules", rules::kgs_rules),
        ("kgs-time_settings", common::kgs_time_settings),
        ("kgs-genmove_cleanup", common::kgs_genmove_cleanup),
        ("kgs-chat", common::kgs_chat),
        ("kgs-game_over", common::kgs_game_over),
        ("kata-get-rules", rules::kata_get_rules),
        ("kata-set-rules", rules::kata_set_rules),
        ("kata-set-rule", rules::kata_set_rule),
        ("gogui-analyze_commands", common::analyze_commands),
        ("gogui-interrupt", common::gogui_interrupt),
        ("gogui-last_search", gogui::last_search),
        ("gogui-owner_map", gogui::owner_map),
        ("gogui-priors", gogui::priors),
        ("gogui-play_sequence", common::play_sequence),
        ("gogui-setup", gogui::setup),
        ("gogui-setup_player", gogui::setup_player),
    ];

    fn board(&self) -> &Position {
        self.game.position()
    }

    /// Empties the board. Size, komi and rules stay.
    fn clear(&mut self) {
        self.resize(self.game.setup().size());
    }

    fn play(&mut self, color: Color, mv: Move, _: &mut dyn FnMut(Note)) -> Result<(), Failure> {
        self.check_length()?;
        let checked = self.position_of(color).check(mv);
        checked.map_err(|_| Failure::IllegalMove)?;
        let played = play_on(&mut self.game, color, mv);
        played.map_err(|_| Failure::IllegalMove)
    }

    fn undo(&mut self) -> Result<(), Failure> {
        let undone = self.game.undo();
        undone.map(|_| ()).ok_or(Failure::CannotUndo)
    }

    fn turn(&self, color: Color, _: &mut dyn FnMut(Note)) -> Result<Turn<Self>, Failure> {
        self.check_length()?;
        let mut question = Question::new(self.position_of(color));
        question.cache = self.cache;
        question.goal = Goal::Explanation;
        Ok(Turn::Open(question))
    }

    fn chosen(&mut self, color: Color, request: Request, choice: &Choice) -> Option<Move> {
        match choice.mv() {
            Some(Move::Pass) if request == Request::CleanUp => {
                let dead = self.status().dead;
                let capture = life::attack_on_dead_stones(&self.position_of(color), &dead);
                Some(capture.map_or(Move::Pass, Move::Place))
            }
            mv => mv,
        }
    }

    fn report(&mut self, question: &Question, choice: &Choice) -> String {
        let Choice::Analysis(analysis) = choice else {
            self.searched = None;
            return String::new();
        };
        self.searched = Some((question.position.clone(), analysis.clone()));
        self.words.line(&question.position, analysis)
    }

    /// Returns the margin by the rules, with the dead stones that playouts find and dame filled, whether or not both
    /// sides have passed.
    fn margin(&mut self) -> Result<Margin, Failure> {
        let status = self.status();
        Ok(self.margin_by(&status))
    }

    /// Reads size, komi, stones and moves. The rules stay the engine's.
    fn load(
        &self,
        text: &str,
        count: usize,
        note: &mut dyn FnMut(Note),
    ) -> Result<Self, LoadError> {
        let ReadRecord {
            record,
            leniencies,
            error,
        } = Record::read(text, count);
        for leniency in leniencies {
            note(Note::leniency(leniency.name(), leniency.to_string()));
        }
        error.map_or(Ok(()), |error| Err(LoadError::Record(error)))?;
        let setup = record.game.setup().clone().with_rules(self.rules);
        let mut game = Game::new(setup);
        let moves = record.game.moves();
        if moves.len() > Self::MAX_MOVES {
            return Err(LoadError::TooManyMoves(moves.len()));
        }
        for &(color, mv) in moves {
            play_on(&mut game, color, mv).map_err(LoadError::IllegalMove)?;
        }
        Ok(Self {
            game,
            rules: self.rules,
            status: KeptStatus::default(),
            searched: None,
            ..self.clone()
        })
    }

    fn diagram(&self) -> String {
        self.board().to_string()
    }

    fn progress(&self, color: Option<Color>) -> Progress {
        progress(self.board(), self.game.moves().len(), color)
    }
}

impl GoGame {
    /// The maximum number of moves of a game: taking one back replays those before it.
    pub const MAX_MOVES: usize = 4096;

    /// Returns a game before its first move. The rules of the setup hold for later games too.
    pub fn new(setup: Setup) -> Self {
        Self {
            rules: setup.rules(),
            game: Game::new(setup),
            ..Self::default()
        }
    }

    /// Returns the game with a search that decides finished games whose life and death is open.
    #[must_use]
    pub fn with_play_out(self, play_out: PlayOut) -> Self {
        Self {
            play_out: Some(play_out),
            ..self
        }
    }

    /// Returns the position with a colour to move, even if it moved last or the game is over.
    fn position_of(&self, color: Color) -> Position {
        let mut position = self.board().clone();
        position.resume();
        position.set_side_to_move(color);
        position
    }

    /// Returns the status of the stones on the board.
    fn status(&mut self) -> LifeAndDeath {
        let find = |position: &Position| life::status(position, self.play_out);
        self.status.of(self.game.position(), find)
    }

    /// Returns the margin if the stones have this status.
    fn margin_by(&self, status: &LifeAndDeath) -> Margin {
        let position = self.game.position();
        let filled = fill_dame(position.board(), status, position.side_to_move());
        let score = Score::new(&filled.board, status, position.rules().scoring);
        position.margin(&score)
    }

    /// Forgets what was found out about positions.
    fn forget(&mut self) {
        self.status = KeptStatus::default();
        self.cache = self.cache.wrapping_add(1);
    }

    fn check_length(&self) -> Result<(), Failure> {
        if self.game.moves().len() < Self::MAX_MOVES {
            Ok(())
        } else {
            Err(Failure::GameTooLong)
        }
    }

    /// Starts a game on an empty board of this size.
    fn resize(&mut self, size: Size) {
        let setup = Setup::new(size).with_komi(self.game.setup().komi());
        self.start(setup.with_rules(self.rules));
    }

    /// Starts a game, without the last search.
    fn start(&mut self, setup: Setup) {
        self.game = Game::new(setup);
        self.searched = None;
    }
}

/// Plays a move of a colour, even after two passes.
fn play_on(game: &mut Game, color: Color, mv: Move) -> Result<(), IllegalMove> {
    game.resume();
    game.play_as(color, mv)
}
