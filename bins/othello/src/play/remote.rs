//! Against a program, over its wire format: the person sits in the other seat.

use std::{
    future::ready,
    io::{self, Write as _},
    process::ExitCode,
    time::Duration,
};

use anyhow::bail;
use boardgame_cli::terminal::{Keyboard, PersonRequest, PersonRequests, tell_moves};
use boardgame_core::ByColor;
use boardgame_io::printable;
use boardgame_match::{GameOptions, GameReport, LocalSeat, Seat, conduct};
use boardgame_session::{SeatSession, Verdict};
use othello_core::{Board, Color, Game};
use othello_engine::{Engine, Settings};
use othello_host::{
    CommandLine, ProgramOptions,
    formats::{self, FormatGame},
    replay::replay,
};
use othello_proto::gui;

use super::{
    Args,
    history::History,
    local::{conclude, take_back},
    person::Person,
};
use crate::{demo::Format, host::not_started, own};

/// The limit of formats that have one for both seats: longer than a person's patience.
const NO_LIMIT: Duration = Duration::from_hours(24);

pub(super) fn play(args: &Args, program: &CommandLine, format: Format) -> anyhow::Result<ExitCode> {
    if args.board != Board::START && format != Format::Gui {
        bail!(
            "the {} format begins every game on the standard board",
            format.key()
        );
    }
    match format {
        Format::Sloan => {
            let options = formats::SloanOptions {
                game_time: None,
                ..Default::default()
            };
            let no_undo = "A Sloan referee cannot take a move back.";
            once(args, program, formats::sloan(options), no_undo)
        }
        Format::Codewarriors => {
            let options = formats::CodeWarriorsOptions {
                limit: NO_LIMIT,
                ..Default::default()
            };
            let no_undo = "A Code Warriors judge cannot take a move back.";
            once(args, program, formats::codewarriors(options), no_undo)
        }
        Format::Gui => over_gui(args, program),
        Format::Lth => super::lth::play(args, program),
    }
}

/// Plays one game, without taking moves back.
fn once<S: SeatSession<Board> + Clone + Send + 'static>(
    args: &Args,
    program: &CommandLine,
    format: FormatGame<S>,
    no_undo: &'static str,
) -> anyhow::Result<ExitCode> {
    let keyboard = Keyboard::of_stdin()?;
    let requests = PersonRequests::new(&keyboard);
    let before = Game::new(format.game.setup);
    let report = play_game(args, program, format, requests, &before, Some(no_undo));
    keyboard.interrupt();
    let report = report?;
    end(args, program, &keyboard, &report, &replay(&report))
}

/// Plays over the GUI's format, which has no history: after an undo the game continues from an
/// earlier board.
fn over_gui(args: &Args, program: &CommandLine) -> anyhow::Result<ExitCode> {
    let mut whole = Game::new(args.board);
    let keyboard = Keyboard::of_stdin()?;
    loop {
        let requests = PersonRequests::new(&keyboard);
        let format = gui_game(args, whole.board());
        let report = play_game(args, program, format, requests.clone(), &whole, None);
        keyboard.interrupt();
        let report = report?;
        for &mv in &report.moves {
            whole.play(mv)?;
        }
        match requests.take() {
            Some(PersonRequest::Undo(board)) => {
                while whole.board() != board && whole.undo().is_some() {}
                if !take_back(&mut whole, args.color) {
                    writeln!(io::stdout(), "There is no move of yours to take back.")?;
                }
            }
            _ => return end(args, program, &keyboard, &report, &whole),
        }
    }
}

fn gui_game(args: &Args, start: Board) -> FormatGame<gui::HostSeat> {
    let defaults = gui::HostSeatOptions::default();
    formats::gui(formats::GuiOptions {
        start,
        untimed: Some(args.color),
        seat: gui::HostSeatOptions {
            form: args.form.into(),
            limit: args.engine.move_time.unwrap_or(defaults.limit),
            ..defaults
        },
    })
}

/// Plays a game of the person against the program, which continues from the end of `before`.
fn play_game<S: SeatSession<Board> + Clone + Send + 'static>(
    args: &Args,
    program: &CommandLine,
    format: FormatGame<S>,
    requests: PersonRequests<Board>,
    before: &Game,
    no_undo: Option<&'static str>,
) -> anyhow::Result<GameReport<Board>> {
    let person = Person {
        engine: Engine::try_new(Settings::from(&args.engine))?,
        commands: args.commands(&own::short_name(program)),
        history: History::new(before.clone()),
        no_undo,
        requests: requests.clone(),
    };
    let mut own = LocalSeat::new("you", person)?;
    let mut other = format.program(
        own::name(program),
        program.clone(),
        ProgramOptions::default(),
    );
    let seats = ByColor::<&mut dyn Seat<Board>> {
        black: &mut own,
        white: other.as_mut(),
    };
    let seats = match args.color {
        Color::Black => seats,
        Color::White => seats.swapped(),
    };
    let keep = |_: &Board, _: &Verdict| ready(());
    let options = GameOptions::default();
    let observer = tell_moves(args.color);
    let report = conduct(
        format.game,
        seats,
        observer,
        keep,
        &options,
        requests.come(),
    );
    Ok(othello_net::block_on(report)??)
}

fn end(
    args: &Args,
    program: &CommandLine,
    keyboard: &Keyboard,
    report: &GameReport<Board>,
    game: &Game,
) -> anyhow::Result<ExitCode> {
    if let Some(fault) = not_started(report) {
        bail!("{fault}");
    }
    let mut out = io::stdout().lock();
    let Some(verdict) = report.outcome.verdict() else {
        return Ok(ExitCode::SUCCESS);
    };
    conclude(&mut out, game, verdict.winner)?;
    writeln!(out, "{}", printable(&verdict.cause.to_string()))?;
    for seat in report.seats.iter() {
        for fault in &seat.faults {
            writeln!(out, "{}", printable(&format!("{}: {fault}", seat.name)))?;
        }
    }
    args.commands(&own::short_name(program))
        .answer_after_the_game(keyboard, game, &mut out)?;
    Ok(ExitCode::SUCCESS)
}
