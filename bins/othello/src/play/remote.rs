//! Against a program, over the wire format that it speaks: the person sits in the other seat.

use std::{
    io::{self, Write as _},
    process::ExitCode,
    time::Duration,
};

use anyhow::bail;
use othello_arena::{
    CommandLine, GameOptions, GameReport, Launch, News, ProgramOptions, Seat, game,
    record::describe,
};
use othello_core::{Board, Color, Game};
use othello_engine::{Engine, Settings};
use othello_proto::{
    codewarriors, gui,
    session::{HostEvent, HostSession, NoteKind, PlayerSession},
    sloan,
};

use super::{
    Args,
    keyboard::Keyboard,
    local::{conclude, take_back},
    person::{Person, Wish, Wishes},
};
use crate::{demo::Format, host::not_started, output::printable, own};

/// Longer than any person's patience: formats that have one limit for both seats get this.
const NO_LIMIT: Duration = Duration::from_hours(24);

pub(super) fn play(args: &Args, program: &CommandLine, format: Format) -> anyhow::Result<ExitCode> {
    if args.board != Board::START && format != Format::Guibot {
        bail!(
            "the {} format begins every game on the standard board",
            format.key()
        );
    }
    match format {
        Format::Sloan => {
            // Our side of it needs no grace, and the person all the time there is.
            let options = sloan::RefereeOptions {
                opening_pass: match args.color {
                    Color::Black => sloan::OpeningPass::Always,
                    Color::White => sloan::OpeningPass::Auto,
                },
                game_time: None,
                ..Default::default()
            };
            let mine = sloan::PlayerOptions {
                opening_wait: None,
                game_time: None,
                ..Default::default()
            };
            let no_undo = "A Sloan referee cannot take a move back.";
            once(
                args,
                program,
                sloan::Referee::new(options),
                sloan::Player::new(mine),
                no_undo,
            )
        }
        Format::Codewarriors => {
            let options = codewarriors::JudgeOptions {
                limit: NO_LIMIT,
                ..Default::default()
            };
            let mine = codewarriors::PlayerOptions {
                limit: NO_LIMIT,
                ..Default::default()
            };
            let host = codewarriors::Judge::new(options);
            let no_undo = "A Code Warriors judge cannot take a move back.";
            once(
                args,
                program,
                host,
                codewarriors::Player::new(mine),
                no_undo,
            )
        }
        Format::Guibot => over_gui(args, program),
        Format::Lth => super::lth::play(args, program),
    }
}

/// Plays one game that cannot be taken back.
fn once(
    args: &Args,
    program: &CommandLine,
    host: impl HostSession,
    mine: impl PlayerSession + Send + 'static,
    no_undo: &'static str,
) -> anyhow::Result<ExitCode> {
    let wishes = Wishes::new(&Keyboard::start(io::stdin())?);
    let person = Person {
        engine: Engine::try_new(Settings::from(&args.engine))?,
        no_undo: Some(no_undo),
        wishes: wishes.clone(),
    };
    let report = crate::block_on(async {
        let seats = seats(args, program, Seat::player("you", mine, person));
        game::run(
            host,
            seats,
            tell(args.color),
            &GameOptions::default(),
            wishes.come(),
        )
        .await
    })?;
    end(&report, &report.game)
}

/// Plays over the GUI's format, which knows no history: after an undo the game goes on from an
/// earlier board.
fn over_gui(args: &Args, program: &CommandLine) -> anyhow::Result<ExitCode> {
    let mut whole = Game::new(args.board);
    let keyboard = Keyboard::start(io::stdin())?;
    loop {
        let wishes = Wishes::new(&keyboard);
        let report = crate::block_on(gui_game(args, program, whole.board(), wishes.clone()))??;
        for &mv in report.game.moves() {
            whole.play(mv)?;
        }
        match wishes.take() {
            Some(Wish::Undo(board)) => {
                while whole.board() != board && whole.undo().is_some() {}
                if !take_back(&mut whole, args.color) {
                    writeln!(io::stdout(), "There is no move of yours to take back.")?;
                }
            }
            _ => return end(&report, &whole),
        }
    }
}

async fn gui_game(
    args: &Args,
    program: &CommandLine,
    start: Board,
    wishes: Wishes,
) -> anyhow::Result<GameReport> {
    let form = args.form.into();
    let mode = match form {
        gui::Form::Document(_) => gui::Mode::Document,
        gui::Form::Released => gui::Mode::Released,
        gui::Form::Stay(_) => gui::Mode::Stay,
    };
    let limit = args
        .engine
        .move_time
        .unwrap_or(gui::HostOptions::default().limit);
    let host = gui::Host::new(gui::HostOptions {
        form,
        start,
        limit,
        untimed: Some(args.color),
        ..Default::default()
    });
    let mine = move || {
        gui::Player::new(gui::PlayerOptions {
            mode,
            ..Default::default()
        })
    };
    let person = Person {
        engine: Engine::try_new(Settings::from(&args.engine))?,
        no_undo: None,
        wishes: wishes.clone(),
    };
    let seats = seats(args, program, Seat::player_per_launch("you", mine, person));
    let options = GameOptions {
        launch: Launch::OnRequest,
        ..GameOptions::default()
    };
    Ok(game::run(host, seats, tell(args.color), &options, wishes.come()).await)
}

/// The seats by colour, the person's being `own`.
fn seats(args: &Args, program: &CommandLine, own: Seat) -> [Seat; 2] {
    let other = Seat::program(
        own::name(program),
        program.clone(),
        ProgramOptions::default(),
    );
    match args.color {
        Color::Black => [own, other],
        Color::White => [other, own],
    }
}

/// Says what the other side does.
fn tell(person: Color) -> impl FnMut(&Game, News<'_>) {
    move |_, news| {
        let line = match news {
            News::Event(HostEvent::Moved { seat, mv, .. }) if *seat != person => {
                format!("{seat} plays {mv}")
            }
            News::Event(HostEvent::Comment { seat, text }) if *seat != person => {
                format!("{seat}: {text}")
            }
            News::Event(HostEvent::Restarted) => "The game begins again.".into(),
            News::Note(note) if note.kind == NoteKind::Fault => format!("! {}", note.text),
            _ => return,
        };
        // Without an output the person's next turn ends the game.
        let _ = writeln!(io::stdout(), "{}", printable(&line));
    }
}

fn end(report: &GameReport, game: &Game) -> anyhow::Result<ExitCode> {
    if let Some(fault) = not_started(report) {
        bail!("{fault}");
    }
    let mut out = io::stdout().lock();
    let Some(verdict) = report.outcome.verdict() else {
        return Ok(ExitCode::SUCCESS);
    };
    conclude(&mut out, game, verdict.winner)?;
    writeln!(out, "{}", describe(&verdict.cause))?;
    for seat in Color::ALL.map(|color| report.seat(color)) {
        for fault in &seat.faults {
            writeln!(out, "{}: {fault}", seat.name)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
