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
use boardgame_match::{
    GameOptions, GameReport, GameSpec, LocalSeat, Seat, conduct,
    engine::{Engine as _, Patience, SeatRequest},
    limit::Limit,
};
use boardgame_session::{SeatSession, Verdict};
use othello_core::{Board, Color, Game};
use othello_engine::{Engine, Settings};
use othello_host::{
    CommandLine, ProgramOptions,
    formats::{self, FormatGame},
    likely_cause::{self, AnswerForm},
    replay::replay,
};
use othello_match::{
    engine::{EngineSpec, Kind},
    protocol::Protocol,
    runner::game_from,
};
use othello_proto::{gui, sloan};

use super::{
    Args, Format,
    history::History,
    local::{conclude, take_back},
    person::Person,
};
use crate::{host::not_started, own};

/// The limit of formats that have one for both seats: longer than a person's patience.
const NO_LIMIT: Duration = Duration::from_hours(24);

pub(super) fn play(args: &Args, program: &CommandLine, format: Format) -> anyhow::Result<ExitCode> {
    let has_boards = matches!(format, Format::Gui | Format::Gtp | Format::Nboard);
    if args.board != Board::START && !has_boards {
        bail!("this format begins every game on the standard board");
    }
    let options = args.program_options()?;
    match format {
        Format::Sloan => {
            let game = formats::SloanOptions {
                game_time: None,
                ..Default::default()
            };
            let no_undo = "A Sloan referee cannot take a move back.";
            once(args, program, &options, formats::sloan(game), no_undo)
        }
        Format::Codewarriors => {
            let game = formats::CodeWarriorsOptions {
                limit: NO_LIMIT,
                ..Default::default()
            };
            let no_undo = "A Code Warriors judge cannot take a move back.";
            once(
                args,
                program,
                &options,
                formats::codewarriors(game),
                no_undo,
            )
        }
        Format::Gui => over_gui(args, program, &options),
        Format::Gtp => over_commands(args, program, options, Protocol::Gtp),
        Format::Nboard => over_commands(args, program, options, Protocol::Nboard),
        Format::Lth => super::lth::play(args, program, &options),
    }
}

/// Plays one game, without taking moves back.
fn once<S: SeatSession<Board> + Clone + Send + 'static>(
    args: &Args,
    program: &CommandLine,
    options: &ProgramOptions,
    format: FormatGame<S>,
    no_undo: &'static str,
) -> anyhow::Result<ExitCode> {
    let keyboard = Keyboard::of_stdin()?;
    let requests = PersonRequests::new(&keyboard);
    let other = seat(program, options, &format);
    let game = Game::new(format.game.setup);
    let report = play_game(
        args,
        program,
        format.game,
        other,
        requests,
        game,
        Some(no_undo),
    );
    keyboard.interrupt();
    let report = report?;
    end(args, program, &keyboard, &report, &replay(&report))
}

/// Plays over the GUI's format, which has no history: after an undo the game continues from an
/// earlier board.
fn over_gui(
    args: &Args,
    program: &CommandLine,
    options: &ProgramOptions,
) -> anyhow::Result<ExitCode> {
    with_undo(args, program, |whole, requests| {
        let format = gui_game(args, whole.board());
        let other = seat(program, options, &format);
        let report = play_game(
            args,
            program,
            format.game,
            other,
            requests,
            whole.clone(),
            None,
        )?;
        for &mv in &report.moves {
            whole.play(mv)?;
        }
        Ok(report)
    })
}

/// Plays against a program that takes commands: after an undo it is started anew and sent the remaining moves.
fn over_commands(
    args: &Args,
    program: &CommandLine,
    options: ProgramOptions,
    protocol: Protocol,
) -> anyhow::Result<ExitCode> {
    let engine = EngineSpec {
        name: own::name(program),
        kind: Kind::Program {
            protocol,
            line: program.clone(),
            setup: Vec::new(),
        },
        limit: Limit::default(),
    };
    let patience = Patience {
        program: options,
        ..Patience::default()
    };
    with_undo(args, program, |whole, requests| {
        let spec = game_from(whole);
        let request = SeatRequest {
            game: &spec,
            color: !args.color,
            patience: &patience,
            alone: true,
            misreads_opening: false,
        };
        let open = othello_net::block_on(engine.open(&request))??;
        let start = Game::new(whole.start());
        let report = play_game(args, program, spec, open.seat, requests, start, None)?;
        *whole = replay(&report);
        Ok(report)
    })
}

/// Plays until the person leaves or the game is over. `play` goes on with a game until its end or a request.
fn with_undo(
    args: &Args,
    program: &CommandLine,
    play: impl Fn(&mut Game, PersonRequests<Board>) -> anyhow::Result<GameReport<Board>>,
) -> anyhow::Result<ExitCode> {
    let mut whole = Game::new(args.board);
    let keyboard = Keyboard::of_stdin()?;
    loop {
        let requests = PersonRequests::new(&keyboard);
        let report = play(&mut whole, requests.clone());
        keyboard.interrupt();
        let report = report?;
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

/// Returns the seat of a program.
fn seat<S: SeatSession<Board> + Clone + Send + 'static>(
    program: &CommandLine,
    options: &ProgramOptions,
    format: &FormatGame<S>,
) -> Box<dyn Seat<Board>> {
    format.program(own::name(program), program.clone(), options.clone())
}

/// Plays a game of the person against the program, whose moves continue from the end of `before`.
fn play_game(
    args: &Args,
    program: &CommandLine,
    game: GameSpec<Board>,
    mut other: Box<dyn Seat<Board>>,
    requests: PersonRequests<Board>,
    before: Game,
    no_undo: Option<&'static str>,
) -> anyhow::Result<GameReport<Board>> {
    let person = Person {
        engine: Engine::try_new(Settings::from(&args.engine))?,
        commands: args.commands(&own::short_name(program)),
        history: History::new(before),
        no_undo,
        requests: requests.clone(),
    };
    let mut own = LocalSeat::new("you", person)?;
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
    let report = conduct(game, seats, observer, keep, &options, requests.come());
    Ok(othello_net::block_on(report)??)
}

/// Returns the form of the program's answers.
fn answers(args: &Args) -> AnswerForm {
    match args.format {
        Some(Format::Sloan) | None => AnswerForm::Sloan(sloan::Dialect::default()),
        Some(Format::Lth) => AnswerForm::Lth,
        Some(Format::Codewarriors) => AnswerForm::CodeWarriors,
        Some(Format::Gui) => AnswerForm::Gui(args.form.into()),
        Some(Format::Gtp) => AnswerForm::Gtp,
        Some(Format::Nboard) => AnswerForm::Nboard,
    }
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
    let output = report.loser_output();
    let cause = likely_cause::in_words(&verdict.cause, game, answers(args), &output);
    writeln!(out, "{}", printable(&cause))?;
    for seat in report.seats.iter() {
        for fault in &seat.faults {
            writeln!(out, "{}", printable(&format!("{}: {fault}", seat.name)))?;
        }
    }
    args.commands(&own::short_name(program))
        .answer_after_the_game(keyboard, game, &mut out)?;
    Ok(ExitCode::SUCCESS)
}
