//! Mistakes of a player's games, asked with spaced repetition.

use std::{
    collections::HashSet,
    process::ExitCode,
    sync::{Mutex, PoisonError},
};

use anyhow::{Context as _, ensure};
use othello_analysis::{
    Analysis, Discs, GameInfo, MISTAKE, Question, Search, Settings, Store, book::Book,
};
use othello_core::Game;
use othello_search::Searcher;
use serde_json::json;

use super::{
    Args, page, question,
    round::{Lesson, Round},
    session::Session,
};
use crate::{
    analyze::batch::{
        games::{BatchGame, Games},
        workers,
    },
    book,
    output::{progress_bar, tell},
    records::exit_code,
};

/// The first look at a game, which finds its mistakes.
const LOOK: Settings = Settings {
    depth: 12,
    exact_from: 18,
};

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
        round.truncate(args.count);
        page::serve(args, port, round)?;
        return Ok(exit_code(games.errors));
    }
    let mut session = Session::new(args.json)?;
    session.tell(
        "found",
        &found,
        || json!({"games": games.list.len(), "lessons": round.all, "due": due}),
    )?;
    if let Some((days, text)) = round.next_in_words() {
        session.tell("next", &text, || json!(days))?;
    }
    round.truncate(args.count);
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

/// Returns the mistakes of the player, each position once.
fn find(args: &Args, games: &Games) -> anyhow::Result<Vec<Lesson>> {
    let has_player = |game: &BatchGame| !colors(args, game).is_empty();
    ensure!(
        games.list.iter().any(has_player),
        "expected games of the player, found none"
    );
    let mut lessons = Vec::new();
    let mut known = HashSet::new();
    let mut add = |mut found: Vec<Lesson>| {
        found.retain(|lesson| known.insert(lesson.position().canonical().0));
        lessons.extend(found);
    };
    if let Some(path) = &args.book {
        let book = book::open(path)?;
        let games = games.list.iter();
        games.for_each(|game| add(by_book(args, &book, game)));
    } else {
        search(args, games, add)?;
    }
    if lessons.is_empty() {
        tell(format_args!("no move of these games is a lesson"))?;
    }
    Ok(lessons)
}

/// Searches for mistakes, and calls `take` with those of each game.
fn search(args: &Args, games: &Games, mut take: impl FnMut(Vec<Lesson>)) -> anyhow::Result<()> {
    let weights = args.engine.evaluation.weights.as_ref();
    let store = Mutex::new(args.store.open(weights)?);
    let bar = progress_bar(games.list.len());
    let items = (0..games.list.len() as u64).collect();
    workers::each(
        &args.engine.settings(),
        items,
        |searcher, item| {
            let game = &games.list[item as usize];
            mistakes(args, game, searcher, &mut &store)
        },
        |found| {
            bar.inc(1);
            take(found);
            Ok(())
        },
    )?;
    bar.finish_and_clear();
    let store = store.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(store.warn_of_failure()?)
}

/// Returns the mistakes of the player in a game by a book, as far as it has the positions.
fn by_book(args: &Args, book: &Book, game: &BatchGame) -> Vec<Lesson> {
    let colors = colors(args, game);
    let margin = Discs::from_hundredths(args.book_margin.into());
    let mut lessons = Vec::new();
    let mut played = Game::new(game.record.game.start());
    for (board, mv) in game.record.game.plies() {
        let position = board.position();
        if !board.must_pass() && book.get(position).is_none() {
            break;
        }
        let is_players = colors.contains(&board.side_to_move());
        if let (Some(square), true) = (mv.square(), is_players) {
            let values = book.values(position).unwrap_or_default();
            let question = Question::new(board, &values).with_margin(margin);
            let answer = question.answer(square);
            if let Some(answer) = answer.filter(|answer| !answer.good) {
                lessons.push(Lesson {
                    question,
                    game: played.clone(),
                    title: title(game, played.moves().len() + 1),
                    played: square,
                    loss: answer.loss,
                });
            }
        }
        if played.play(mv).is_err() {
            break;
        }
    }
    lessons
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
