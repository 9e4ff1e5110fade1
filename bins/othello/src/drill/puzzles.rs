//! Endgames that are to be played perfectly, with a rating.

use std::{
    process::ExitCode,
    time::{SystemTime, UNIX_EPOCH},
};

use anyhow::Context as _;
use othello_analysis::{Question, Settings, Skill};
use othello_core::{Bitboard, Board, Game, Move, Position, Square};
use othello_engine::{
    Network,
    human::{Model, MoveContext, evaluated, mix, softmax},
};
use othello_search::Searcher;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    Args, question,
    session::{Asked, Given, Session},
};
use crate::{
    analyze::batch::games::{BatchGame, Games},
    records::exit_code,
};

/// The least number of moves to choose from.
const MIN_MOVES: usize = 3;

/// The rating of people for whom the model of human moves predicts the difficulty.
const MEAN: f64 = 1500.0;

/// The deviation of the rating of a puzzle.
const DEVIATION: f64 = 150.0;

/// A puzzle that was tried.
#[derive(Serialize, Deserialize)]
struct Tried {
    solved: bool,
}

/// The end of a puzzle.
enum End {
    Solved,
    Failed,
    Left,
}

/// The solver of the positions.
struct Solver<'a> {
    searcher: Searcher,
    network: &'a Network,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut progress = args.progress.open("puzzles")?;
    let games = Games::read(&args.sources, &args.reading, &args.filter, None)?;
    let engine = args.engine.settings();
    let mut solver = Solver {
        searcher: engine.searcher()?,
        network: &engine.network,
    };
    let mut session = Session::new(args.json)?;
    let of_person = Position::new(Bitboard(0), Bitboard(0))?;
    let mut skill: Skill = progress.get(of_person).unwrap_or_default();
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let seed = args.seed.unwrap_or(now?.as_nanos() as u64);
    let mut order: Vec<usize> = (0..games.list.len()).collect();
    order.sort_by_key(|&at| mix(seed.wrapping_add(at as u64)));
    let mut left = args.count.get();
    let (mut solved, mut tried) = (0, 0);
    for game in order.into_iter().map(|at| &games.list[at]) {
        if left == 0 {
            break;
        }
        let Some(start) = start(game, args.empties) else {
            continue;
        };
        let position = start.board().position();
        if args.seed.is_none() && progress.get::<Tried>(position).is_some() {
            continue;
        }
        let question = solver.question(start.board());
        let is_puzzle = question.is_sharp() && question.good().count() == 1;
        if !is_puzzle || question.moves.len() < MIN_MOVES {
            continue;
        }
        left -= 1;
        let rating = Skill {
            rating: solver.difficulty(start.board()),
            deviation: DEVIATION,
        };
        let title = title(game, rating, &question);
        let end = play(&mut session, &mut solver, start, &title)?;
        if matches!(end, End::Left) {
            break;
        }
        let is_solved = matches!(end, End::Solved);
        let before = skill.rating;
        skill.update(&[(rating, is_solved)]);
        progress.put(position, &Tried { solved: is_solved })?;
        progress.put(of_person, &skill)?;
        tried += 1;
        solved += u32::from(is_solved);
        let text = format!(
            "{} Your rating: {:.0} ± {:.0}, {:.0} before.\n",
            if is_solved { "Solved." } else { "Not solved." },
            skill.rating,
            1.96 * skill.deviation,
            before
        );
        session.tell(
            "puzzle",
            &text,
            || json!({"solved": is_solved, "puzzle": rating, "you": skill}),
        )?;
    }
    session.end(&format!("{solved} of {tried} solved."), tried, solved)?;
    Ok(exit_code(games.errors))
}

/// Returns a game up to the position with a number of empty squares, if a side is to move there.
fn start(game: &BatchGame, empties: u32) -> Option<Game> {
    let record = &game.record.game;
    let mut played = Game::new(record.start());
    for &mv in record.moves() {
        if played.board().empties().count() <= empties {
            break;
        }
        played.play(mv).ok()?;
    }
    let board = played.board();
    let is_asked = board.empties().count() == empties && !board.legal_moves().is_empty();
    is_asked.then_some(played)
}

/// Describes a puzzle: `Ann - Bob, 1999: puzzle of rating 1640. White to play and reach +4`.
fn title(game: &BatchGame, rating: Skill, question: &Question) -> String {
    let [black, white] = (game.record.players.as_ref())
        .map(|player| {
            if player.name.is_empty() {
                "?"
            } else {
                &player.name
            }
        })
        .into_array();
    let date = game.record.date.as_ref();
    let date = date.map_or(String::new(), |date| format!(", {date}"));
    let value = question.moves.first().map(|best| best.value().to_string());
    format!(
        "{black} - {white}{date}: rated {:.0}; {} to play and reach {}",
        rating.rating,
        question.board.side_to_move(),
        value.unwrap_or_default()
    )
}

/// Plays a puzzle to its end, or to the first move that loses something.
fn play(
    session: &mut Session,
    solver: &mut Solver<'_>,
    mut game: Game,
    title: &str,
) -> anyhow::Result<End> {
    let side = game.side_to_move();
    let mut hinted = false;
    while !game.is_over() {
        let board = game.board();
        if board.must_pass() {
            game.play(Move::Pass)?;
            continue;
        }
        let question = solver.question(board);
        let best = question.moves.first().and_then(|best| best.mv.square());
        let best = best.context("expected a value")?;
        if board.side_to_move() != side || question.moves.len() == 1 {
            let text = format!("{} plays {best}", board.side_to_move());
            session.tell("played", &text, || json!(best))?;
            game.play(best)?;
            continue;
        }
        let hint = hint(&question);
        let asked = Asked {
            question: &question,
            game: &game,
            title,
            hint: &hint,
        };
        let Some(given) = session.ask(&asked)? else {
            return Ok(End::Left);
        };
        hinted |= given.hinted;
        let Given { square, .. } = given;
        let is_good = |square: Square| question.good().any(|mv| mv.mv == square.into());
        let Some(square) = square.filter(|&square| is_good(square)) else {
            session.judge(&asked, &given, "")?;
            return Ok(End::Failed);
        };
        game.play(square)?;
    }
    Ok(if hinted { End::Failed } else { End::Solved })
}

/// Names a move that is not good, if there is one.
fn hint(question: &Question) -> String {
    let count = question.good().count();
    let rest = question.moves.get(count);
    let bad = rest.map(|mv| format!(" {} is not among them.", mv.mv));
    format!("Good moves: {count}.{}", bad.unwrap_or_default())
}

impl Solver<'_> {
    /// Returns the exact values of the moves of a board.
    fn question(&mut self, board: Board) -> Question {
        question(board, Settings::EXACT, &mut self.searcher, None)
    }

    /// Returns the rating of a puzzle: a person of mean strength solves it with the probability of the good moves,
    /// along the best line, by the model of human moves.
    fn difficulty(&mut self, board: Board) -> f64 {
        let side = board.side_to_move();
        let mut game = Game::new(board);
        let mut probability = 1.0;
        while !game.is_over() {
            let board = game.board();
            if board.must_pass() {
                game.play_choices([0]);
                continue;
            }
            let question = self.question(board);
            if board.side_to_move() == side {
                probability *= self.share(&question);
            }
            let best = question.moves.first().map(|best| best.mv);
            if best.is_none_or(|best| game.play(best).is_err()) {
                break;
            }
        }
        let probability = f64::clamp(probability, 0.001, 0.999);
        MEAN - 400.0 * (probability / (1.0 - probability)).log10()
    }

    /// Returns the share of people who choose a good move.
    fn share(&self, question: &Question) -> f64 {
        let position = question.board.position();
        let moves = evaluated(self.network, position, position.legal_moves());
        let context = MoveContext {
            position,
            last: None,
            moves: &moves,
        };
        let features = context.features(&|_| None);
        let logits = features
            .iter()
            .map(|found| Model::built_in().plain_logit(found, 0.0));
        let shares = softmax(logits.collect());
        let good = |square: Square| question.good().any(|mv| mv.mv == square.into());
        let shares = moves
            .iter()
            .zip(shares)
            .filter(|((square, _), _)| good(*square));
        shares.map(|(_, share)| f64::from(share)).sum()
    }
}
