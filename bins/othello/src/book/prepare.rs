//! `othello book prepare`: the moves with which a player leaves a book or loses by it.

use std::{
    cmp::Reverse,
    collections::HashMap,
    fmt,
    io::{self, Write as _},
    num::NonZeroUsize,
    ops::ControlFlow,
    path::PathBuf,
    process::ExitCode,
};

use anyhow::{Context as _, ensure};
use boardgame_cli::{PAGE_START, positive};
use boardgame_io::printable;
use othello_analysis::{
    Analysis, Discs, PlayedReport, Report, Settings, WorstMove,
    book::{Book, BookMove, turned_to_f5},
};
use othello_core::{Board, Color, Position, Square};
use othello_records::{Note, Openings, Record};
use serde::Serialize;

use crate::{
    analyze::{PROGRAM, annotate::Annotation, html},
    output::tell,
    records::{Inputs, exit_code, filter::Filter},
};

/// Shows the moves with which a player leaves a book or loses by it, in the games of records.
///
/// A line of text has the number of games with the move and of those with the position, the discs that the move loses,
/// the moves of the first such game, and the best move of the book. The moves that lose most in all games come first. A
/// move that the book does not have loses at least the discs shown, followed by a plus sign.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  othello book prepare othello.book --player ann games/*.ggf --date 2020..
  othello book prepare othello.book --player ann games/*.ggf --html ann.html --drills ann.sgf
  othello drill ann.sgf --player ann --book othello.book")]
pub(crate) struct Args {
    /// The file of the book
    book: PathBuf,
    #[command(flatten)]
    inputs: Inputs,
    /// Show at most this number of moves
    #[arg(short = 'n', long = "count", value_name = "N", default_value = "20", value_parser = positive::<NonZeroUsize>)]
    count: NonZeroUsize,
    /// Print an object of JSON
    #[arg(long)]
    json: bool,
    /// Write the lines with the values of the book as a page for a browser, one file that loads nothing
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the lines to a new file of records, by its name .sgf or .ggf, for othello drill --book
    #[arg(long, value_name = "FILE")]
    drills: Option<PathBuf>,
    #[command(flatten)]
    filter: Filter,
}

/// The games of a player from the standard start, as far as a book has their positions.
#[derive(Default, Serialize)]
struct Preparation {
    player: String,
    games: u64,
    /// The mean number of plies that stay in the book.
    plies: f64,
    left_by_player: u64,
    left_by_opponents: u64,
    moves: Vec<Deviation>,
}

/// A move that leaves the book or loses by it.
#[derive(Serialize)]
struct Deviation {
    /// The moves before it, in the first game.
    line: String,
    #[serde(rename = "move")]
    square: Square,
    best: Square,
    games: u64,
    /// The number of games in which the player was to move in the position.
    met: u64,
    /// The discs that the move loses; at least these, if the book does not have the move.
    loss: Discs,
    is_at_least: bool,
    leaves: bool,
    /// The first game up to the move.
    #[serde(skip)]
    record: Record,
}

/// The games that were followed.
#[derive(Default)]
struct Followed {
    found: Preparation,
    /// The number of games in which the player is to move in each position.
    met: HashMap<Position, u64>,
    /// The deviations, by the positions before and after them.
    moves: HashMap<(Position, Position), Deviation>,
}

/// The data of the page.
#[derive(Serialize)]
struct Lines<'a> {
    title: &'a str,
    details: String,
    reports: Vec<Report>,
}

impl Followed {
    /// Follows a game of the player, who has some colours, as far as the book has its positions.
    fn add(&mut self, book: &Book, record: &Record, colors: &[Color]) {
        if record.game.start() != Board::START {
            return;
        }
        self.found.games += 1;
        let mut line = Vec::new();
        for (board, mv) in record.game.plies() {
            let position = board.position();
            let Some(square) = mv.square() else {
                continue;
            };
            if book.get(position).is_none() {
                return;
            }
            line.push(square);
            let canonical = |position: Position| position.canonical().0;
            let after = |square| canonical(position.play_unchecked(square));
            let moves = book.moves(position);
            let known = moves.iter().find(|mv| after(mv.square) == after(square));
            let leaves = known.is_none_or(|mv| mv.source.is_some());
            let is_players = colors.contains(&board.side_to_move());
            if is_players {
                *self.met.entry(canonical(position)).or_default() += 1;
                if let Some(new) = Deviation::new(&moves, known, &line, record) {
                    let key = (canonical(position), after(square));
                    self.moves.entry(key).or_insert(new).games += 1;
                }
            }
            if leaves {
                self.found.left_by_player += u64::from(is_players);
                self.found.left_by_opponents += u64::from(!is_players);
                return;
            }
            self.found.plies += 1.0;
        }
    }

    /// Returns what was found, with the moves that lose most in all games.
    fn finish(self, player: &str, count: usize) -> Preparation {
        let met = |((position, _), mv): (_, Deviation)| Deviation {
            met: self.met[&position],
            ..mv
        };
        let mut moves: Vec<Deviation> = self.moves.into_iter().map(met).collect();
        moves.sort_by_cached_key(|mv| {
            let lost = i64::from(mv.loss.hundredths()) * mv.games as i64;
            (Reverse((lost, mv.games)), mv.line.clone(), mv.square)
        });
        moves.truncate(count);
        Preparation {
            player: player.to_owned(),
            plies: self.found.plies / self.found.games.max(1) as f64,
            moves,
            ..self.found
        }
    }
}

impl Deviation {
    /// Returns the last move of a line if it leaves the book or loses by the moves of the book, among which it may be
    /// known.
    fn new(
        moves: &[BookMove],
        known: Option<&BookMove>,
        line: &[Square],
        record: &Record,
    ) -> Option<Self> {
        let best = moves.first()?;
        let out = moves.iter().find(|mv| mv.source.is_some());
        let loss = best.value - known.or(out).unwrap_or(best).value;
        let leaves = known.is_none_or(|mv| mv.source.is_some());
        if !leaves && loss == Discs::ZERO {
            return None;
        }
        let played = *line.last()?;
        let is_best = known.is_some() && loss == Discs::ZERO;
        let best = if is_best { played } else { best.square };
        let squares = turned_to_f5(&[line, &[best]].concat());
        let (played, best) = (squares[line.len() - 1], squares[line.len()]);
        let line: String = squares[..line.len() - 1]
            .iter()
            .map(Square::to_string)
            .collect();
        let record = Record {
            // The moves are those of a game.
            game: format!("{line}{played}").parse().unwrap_or_default(),
            players: record.players.clone(),
            date: record.date.clone(),
            event: record.event.clone(),
            round: record.round.clone(),
            place: record.place.clone(),
            ..Record::default()
        };
        Some(Self {
            line,
            square: played,
            best,
            games: 0,
            met: 0,
            loss,
            is_at_least: known.is_none(),
            leaves,
            record,
        })
    }

    /// Returns `true` if the book has a better move.
    fn is_to_learn(&self) -> bool {
        self.best != self.square
    }

    /// Returns the first game up to the move, with a comment on it.
    fn to_record(&self) -> Record {
        let better = if self.is_to_learn() {
            let more = if self.is_at_least { " or more" } else { "" };
            format!(
                "loses {}{more}, {} is better",
                self.loss.unsigned(),
                self.best
            )
        } else {
            "the best move, leads out of the book".into()
        };
        let mut notes = vec![Note::default(); self.record.game.moves().len()];
        if let Some(last) = notes.last_mut() {
            last.comment = format!("{} of {} games: {better}", self.games, self.met);
        }
        Record {
            notes,
            ..self.record.clone()
        }
    }

    /// Returns the report on the line by the values of a book.
    fn report(&self, mut book: &Book) -> Report {
        let record = self.to_record();
        let mut line = record.game.clone();
        line.undo();
        let mut analysis = Analysis::new(&line);
        let settings = Settings {
            depth: 0,
            exact_from: 0,
        };
        analysis.deepen(&settings, &mut book, None, &mut |_| {});
        let mut report = Report::new(PROGRAM, &record, &analysis, &settings);
        report.worst.clear();
        if let Some(last) = report.positions.last_mut() {
            let best = last.moves.first().filter(|_| self.is_to_learn());
            report.worst.extend(best.map(|best| WorstMove {
                ply: last.ply,
                side: line.board().side_to_move(),
                mv: self.square.into(),
                loss: self.loss,
                better: best.mv,
                line: best.line.clone(),
            }));
            last.played = Some(PlayedReport {
                mv: self.square.into(),
                loss: Some(self.loss),
                rank: None,
            });
        }
        report
    }
}

impl Preparation {
    /// Describes the games.
    fn in_words(&self) -> String {
        let Self {
            games,
            plies,
            left_by_player,
            left_by_opponents,
            ..
        } = self;
        format!(
            "{games} games, {plies:.1} plies in the book; left by the player in {left_by_player}, \
             by opponents in {left_by_opponents}"
        )
    }
}

impl fmt::Display for Preparation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", printable(&self.player), self.in_words())?;
        if !self.moves.is_empty() {
            writeln!(f, "games  of    lost  line, move, and the book's best")?;
        }
        for mv in &self.moves {
            let more = if mv.is_at_least { "+" } else { " " };
            let (loss, line) = (mv.loss.to_f64(), &mv.line);
            let best = if mv.is_to_learn() {
                format!(" instead of {}", mv.best)
            } else {
                ", the best, leads out of the book".into()
            };
            let space = if line.is_empty() { "" } else { " " };
            writeln!(
                f,
                "{:>5}  {:<4} {loss:>5.2}{more} {line}{space}{}{best}",
                mv.games, mv.met, mv.square
            )?;
        }
        Ok(())
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let player = args.filter.player().context("expected --player NAME")?;
    let drills = args.drills.as_deref().map(Annotation::new).transpose()?;
    if let Some(path) = &args.html {
        boardgame_files::check_target(path, PAGE_START)?;
    }
    let book = super::open(&args.book)?;
    let openings = Openings::default();
    args.filter.check(&openings)?;
    let names = args.inputs.names()?;
    let mut followed = Followed::default();
    let counts = args.inputs.for_each(&names, |_, _, record| {
        if args.filter.takes(record, &openings) {
            let colors = args.filter.colors_of_player(record).unwrap_or_default();
            followed.add(&book, record, &colors);
        }
        Ok(ControlFlow::Continue(()))
    })?;
    let found = followed.finish(player, args.count.get());
    ensure!(
        found.games > 0,
        "expected games of the player from the standard start, found none"
    );
    if let Some(drills) = drills {
        let moves = found.moves.iter().filter(|mv| mv.is_to_learn());
        let records: Vec<_> = moves.map(Deviation::to_record).collect();
        if records.is_empty() {
            tell(format_args!("no move to learn, so no drills are written"))?;
        } else {
            drills.write(&records)?;
        }
    }
    if let Some(path) = &args.html {
        let lines = Lines {
            title: &found.player,
            details: found.in_words(),
            reports: found.moves.iter().map(|mv| mv.report(&book)).collect(),
        };
        html::write(&lines, path)?;
    }
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&found)?)?;
    } else {
        write!(out, "{found}")?;
    }
    Ok(exit_code(counts.errors))
}
