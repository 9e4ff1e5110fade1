//! Mistakes of a player's games, asked with spaced repetition.

use std::{
    collections::{HashSet, VecDeque},
    process::ExitCode,
    sync::{Mutex, PoisonError},
};

use anyhow::{Context as _, ensure};
use othello_analysis::{
    Analysis, Card, Discs, GameInfo, MISTAKE, Question, Search, Settings, Store,
};
use othello_core::{Game, Position, Square};
use othello_search::Searcher;
use serde_json::json;

use super::{
    Args, page,
    progress::{Progress, today},
    question,
    session::{Asked, Given, Session},
};
use crate::{
    analyze::batch::{
        games::{BatchGame, Games},
        workers,
    },
    output::{progress_bar, tell},
    records::exit_code,
};

/// The first look at a game, which finds its mistakes.
const LOOK: Settings = Settings {
    depth: 12,
    exact_from: 18,
};

/// The quality of an answer from which a question is not asked again on the same day.
const KNOWN: u8 = 4;

/// A mistake of the player.
pub(super) struct Lesson {
    pub(super) question: Question,
    pub(super) game: Game,
    pub(super) title: String,
    played: Square,
    loss: Discs,
}

impl Lesson {
    fn position(&self) -> Position {
        self.question.board.position()
    }

    fn asked<'a>(&'a self, hint: &'a str) -> Asked<'a> {
        Asked {
            question: &self.question,
            game: &self.game,
            title: &self.title,
            hint,
        }
    }

    /// Describes the move that was played: the hint.
    pub(super) fn mistake(&self) -> String {
        let judged = self.question.answer(self.played);
        let reasons = judged.map(|judged| judged.reasons).unwrap_or_default();
        let reasons: Vec<String> = reasons
            .iter()
            .map(|reason| format!("\nIt {reason}."))
            .collect();
        format!(
            "In the game you played {}, which loses {}.{}",
            self.played,
            self.loss.unsigned(),
            reasons.concat()
        )
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let player = args.filter.player();
    let player = player.context("expected --player NAME, or --puzzles; found neither")?;
    let progress = args.progress.open(&format!("lessons of {player}"))?;
    let games = Games::read(&args.sources, &args.reading, &args.filter, None)?;
    let lessons = find(args, &games)?;
    let mut round = Round::new(lessons, progress);
    let due = round.left();
    let found = format!(
        "{} of {player}, {} with lessons, {due} to ask now",
        games_in_words(games.list.len()),
        round.all
    );
    if let Some(port) = args.web {
        tell(format_args!("{found}"))?;
        round.queue.truncate(args.count.get());
        page::serve(args, port, round)?;
        return Ok(exit_code(games.errors));
    }
    let mut session = Session::new(args.json)?;
    session.tell(
        "found",
        &found,
        || json!({"games": games.list.len(), "lessons": round.all, "due": due}),
    )?;
    if let (0, Some(next)) = (due, round.next) {
        let days = next.saturating_sub(round.today);
        let text = format!("The next one comes {}.", in_days(days));
        session.tell("next", &text, || json!(days))?;
    }
    round.queue.truncate(args.count.get());
    while let Some(lesson) = round.lesson() {
        let hint = lesson.mistake();
        let Some(given) = session.ask(&lesson.asked(&hint))? else {
            break;
        };
        let again = round.answer(&given)?;
        if let Some(lesson) = round.lesson() {
            session.judge(&lesson.asked(&hint), &given, &again)?;
        }
        round.advance();
    }
    session.end(&round.in_words(), round.answered, round.right)?;
    Ok(exit_code(games.errors))
}

/// A lesson to be asked now.
struct Pending {
    lesson: Lesson,
    card: Card,
    /// True until it is answered.
    is_first: bool,
    /// The quality of the answer.
    quality: u8,
}

/// The questions of a session.
pub(super) struct Round {
    queue: VecDeque<Pending>,
    progress: Progress,
    today: u32,
    /// The number of lessons, due or not.
    all: usize,
    /// The day on which the first of them is due.
    next: Option<u32>,
    answered: u32,
    right: u32,
}

impl Round {
    /// Creates a session of the lessons that are due.
    fn new(lessons: Vec<Lesson>, mut progress: Progress) -> Self {
        let today = today();
        let all = lessons.len();
        let mut cards: Vec<(Lesson, Card)> = lessons
            .into_iter()
            .map(|lesson| (progress.get(lesson.position()).unwrap_or_default(), lesson))
            .map(|(card, lesson)| (lesson, card))
            .collect();
        let next = cards.iter().map(|(_, card)| card.due).min();
        cards.retain(|(_, card)| card.due <= today);
        // Questions that were asked before come first, the longest due of them first, and then the worst mistakes.
        cards.sort_by_key(|(lesson, card)| (card.interval == 0, card.due, -lesson.loss));
        let pending = |(lesson, card)| Pending {
            lesson,
            card,
            is_first: true,
            quality: 0,
        };
        Self {
            queue: cards.into_iter().map(pending).collect(),
            progress,
            today,
            all,
            next,
            answered: 0,
            right: 0,
        }
    }

    /// The lesson to ask; `None` at the end.
    pub(super) fn lesson(&self) -> Option<&Lesson> {
        self.queue.front().map(|pending| &pending.lesson)
    }

    /// The number of lessons that are left.
    pub(super) fn left(&self) -> usize {
        self.queue.len()
    }

    /// Records the answer to the question, and tells when it comes again.
    pub(super) fn answer(&mut self, given: &Given) -> anyhow::Result<String> {
        let Some(asked) = self.queue.front_mut() else {
            return Ok(String::new());
        };
        asked.quality = quality(&asked.lesson.question, given);
        if asked.is_first {
            self.answered += 1;
            self.right += u32::from(asked.quality >= KNOWN);
            asked.card.answer(asked.quality, self.today);
            self.progress.put(asked.lesson.position(), &asked.card)?;
        }
        Ok(if asked.quality < KNOWN {
            "It comes again before the end.".to_owned()
        } else {
            format!("It comes again {}.", in_days(asked.card.due - self.today))
        })
    }

    /// Goes on to the next question. One that was not known comes again.
    pub(super) fn advance(&mut self) {
        let Some(mut asked) = self.queue.pop_front() else {
            return;
        };
        if asked.quality < KNOWN {
            asked.is_first = false;
            self.queue.push_back(asked);
        }
    }

    /// Describes the answers.
    pub(super) fn in_words(&self) -> String {
        format!("{} of {} at first sight.", self.right, self.answered)
    }
}

/// Returns the quality of an answer on the scale of SM-2.
fn quality(question: &Question, given: &Given) -> u8 {
    let Some(square) = given.square else {
        return 0;
    };
    let is_good = question.good().any(|mv| mv.mv == square.into());
    match (is_good, given.hinted) {
        (true, false) => 5,
        (true, true) => 3,
        (false, _) if question.loss(square) < Some(MISTAKE) => 2,
        (false, _) => 1,
    }
}

/// Returns the mistakes of the player, each position once.
fn find(args: &Args, games: &Games) -> anyhow::Result<Vec<Lesson>> {
    let weights = args.engine.evaluation.weights.as_ref();
    let store = Mutex::new(args.store.open(weights)?);
    let bar = progress_bar(games.list.len());
    let items = (0..games.list.len() as u64).collect();
    let mut lessons = Vec::new();
    let mut known = HashSet::new();
    workers::each(
        &args.engine.settings(),
        items,
        |searcher, item| {
            let game = &games.list[item as usize];
            mistakes(args, game, searcher, &mut &store)
        },
        |found| {
            bar.inc(1);
            let is_new = |lesson: &Lesson| known.insert(lesson.position().canonical().0);
            let mut found = found;
            found.retain(is_new);
            lessons.extend(found);
            Ok(())
        },
    )?;
    bar.finish_and_clear();
    let store = store.into_inner().unwrap_or_else(PoisonError::into_inner);
    store.warn_of_failure()?;
    let has_player = |game: &BatchGame| !colors(args, game).is_empty();
    ensure!(
        games.list.iter().any(has_player),
        "expected games of the player, found none"
    );
    if lessons.is_empty() {
        tell(format_args!("no move of these games is a lesson"))?;
    }
    Ok(lessons)
}

fn colors(args: &Args, game: &BatchGame) -> Vec<othello_core::Color> {
    let colors = args.filter.colors_of_player(&game.record);
    colors.unwrap_or_default()
}

/// Returns the mistakes of the player in a game that a second, deeper look confirms.
fn mistakes(
    args: &Args,
    game: &BatchGame,
    searcher: &mut Searcher,
    store: &mut dyn Store,
) -> Vec<Lesson> {
    searcher.clear();
    let second = Settings {
        depth: args.depth,
        exact_from: args.exact_from,
    };
    let first = Settings {
        depth: LOOK.depth.min(args.depth),
        exact_from: LOOK.exact_from.min(args.exact_from),
    };
    let mut analysis = Analysis::new(&game.record.game).with_each_move_empties(60);
    let mut search = Search::new(searcher);
    analysis.deepen(&first, &mut search, Some(store), &mut |_| {});
    let colors = colors(args, game);
    let mut lessons = Vec::new();
    let mut played = Game::new(game.record.game.start());
    for (position, &mv) in analysis.positions().iter().zip(game.record.game.moves()) {
        let board = position.board();
        let is_mistake = position
            .played_value()
            .is_some_and(|value| value.loss >= MISTAKE);
        if let (true, true, Some(square)) = (
            is_mistake,
            colors.contains(&board.side_to_move()),
            mv.square(),
        ) {
            let question = question(board, second, searcher, Some(store));
            let loss = question.loss(square).filter(|&loss| loss >= MISTAKE);
            if let (Some(loss), true) = (loss, question.is_sharp()) {
                lessons.push(Lesson {
                    question,
                    game: played.clone(),
                    title: title(game, played.moves().len() + 1),
                    played: square,
                    loss,
                });
            }
        }
        if played.play(mv).is_err() {
            break;
        }
    }
    lessons
}

/// Describes the place of a move: `Ann - Bob, 1999-02-14, move 33`.
fn title(game: &BatchGame, number: usize) -> String {
    let info = GameInfo::new(&game.record);
    let named = |name: &str| if name.is_empty() { "?" } else { name }.to_owned();
    let players = format!("{} - {}", named(&info.black.name), named(&info.white.name));
    let mut parts = vec![players];
    parts.extend(info.date);
    parts.push(format!("move {number}"));
    parts.join(", ")
}

fn games_in_words(count: usize) -> String {
    match count {
        1 => "1 game".to_owned(),
        count => format!("{count} games"),
    }
}

fn in_days(days: u32) -> String {
    match days {
        0 => "today".to_owned(),
        1 => "tomorrow".to_owned(),
        days => format!("in {days} days"),
    }
}
