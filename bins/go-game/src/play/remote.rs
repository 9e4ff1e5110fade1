//! Against a program: the person sits in the other seat.

use std::{
    future::ready,
    io::{self, Write as _},
    process::ExitCode,
    sync::Arc,
};

use boardgame_cli::terminal::{Keyboard, PersonRequest, PersonRequests, tell_moves};
use boardgame_core::{ByColor, Color};
use boardgame_io::printable;
use boardgame_match::{GameOptions, GameReport, GameSpec, LocalSeat, Seat, conduct};
use boardgame_session::Verdict;
use go_core::{Game, Position, Setup};
use go_match::{Format, GoProgram};

use super::{
    Args, conclude,
    person::Person,
    save::{COMMANDS, answer},
    take_back,
};
use crate::{options::judge, referee::check_started};

/// The reason why moves against a program of the tournament cannot be taken back.
const NO_UNDO: &str = "A referee of the USENIX format cannot take a move back.";

/// Plays against a program. After an undo, one that speaks GTP is started anew and sent the remaining moves.
pub(super) fn play(args: &Args, program: &GoProgram, setup: Setup) -> anyhow::Result<ExitCode> {
    let keyboard = Keyboard::start(io::stdin())?;
    let players = args.players(&program.to_string());
    let mut game = Game::new(setup);
    loop {
        let requests = PersonRequests::new(&keyboard);
        let report = boardgame_io::block_on(conduct_with(
            args,
            program,
            &game,
            players.clone(),
            requests.clone(),
        ))??;
        check_started(&report)?;
        game = Game::new(report.setup.clone());
        for &mv in &report.moves {
            game.play(mv)?;
        }
        let Some(PersonRequest::Undo(())) = requests.take() else {
            end(&report, &game, &players, &keyboard)?;
            // A program that fails before its first move never played.
            let program = !args.color;
            let played = game.moves().iter().any(|&(side, _)| side == program);
            let verdict = report.outcome.verdict();
            let culprit = verdict.and_then(|verdict| verdict.cause.culprit());
            let failed = !played && culprit == Some(program);
            return Ok(if failed {
                ExitCode::FAILURE
            } else {
                ExitCode::SUCCESS
            });
        };
        if !take_back(&mut game, args.color) {
            writeln!(io::stdout(), "There is no move of yours to take back.")?;
        }
    }
}

/// Continues from the moves of a game.
async fn conduct_with(
    args: &Args,
    program: &GoProgram,
    game: &Game,
    players: ByColor<String>,
    requests: PersonRequests<()>,
) -> anyhow::Result<GameReport<Position>> {
    let person = Person {
        players,
        engine: args.engine(),
        no_undo: (program.format == Format::Usenix).then_some(NO_UNDO),
        requests: requests.clone(),
    };
    let mut own = LocalSeat::new("you", person)?;
    let mut other = program.free_seat(program.to_string());
    let seats = ByColor::<&mut dyn Seat<Position>> {
        black: &mut own,
        white: other.as_mut(),
    };
    let seats = match args.color {
        Color::Black => seats,
        Color::White => seats.swapped(),
    };
    let spec = GameSpec {
        opening: game.moves().iter().map(|&(_, mv)| mv).collect(),
        scorer: Some(Arc::new(judge())),
        ..GameSpec::new(game.setup().clone())
    };
    let keep = |_: &Position, _: &Verdict| ready(());
    let options = GameOptions::default();
    let observer = tell_moves(args.color);
    Ok(conduct(spec, seats, observer, keep, &options, requests.come()).await?)
}

/// Shows the end of the game, and answers commands after it.
fn end(
    report: &GameReport<Position>,
    game: &Game,
    players: &ByColor<String>,
    keyboard: &Keyboard,
) -> anyhow::Result<()> {
    let Some(verdict) = report.outcome.verdict() else {
        return Ok(());
    };
    let mut out = io::stdout().lock();
    conclude(&mut out, game)?;
    writeln!(out, "{}", printable(&verdict.to_string()))?;
    for seat in report.seats.iter() {
        for fault in &seat.faults {
            writeln!(out, "{}", printable(&format!("{}: {fault}", seat.name)))?;
        }
    }
    let answer = |command: &str, rest: &str| answer(game, players, command, rest);
    keyboard.answer_after_the_game(&mut out, COMMANDS, answer)?;
    Ok(())
}
