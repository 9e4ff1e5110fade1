//! Rounds and games in lines.

use std::fmt::Write as _;

use anyhow::{anyhow, ensure};
use boardgame_core::Color;
use boardgame_match::{
    GameId,
    log::Ruling,
    schedule::{Form, Round},
};

use super::desk::{Desk, State};

/// The line for a tournament without a further round.
pub(super) const OVER: &str = "the tournament is over\n";

/// Returns a round in lines: the one of a number from 1, or else the one that is being played or the next.
pub(super) fn pairings(desk: &Desk, state: &State, round: Option<u32>) -> anyhow::Result<String> {
    let rounds = &state.contents.rounds;
    if round.is_none() && !state.is_round_open() && desk.next_round(state, 1).is_none() {
        return Ok(OVER.to_owned());
    }
    let current = rounds.len() - usize::from(state.is_round_open());
    let index = round.map_or(current, |number| number as usize - 1);
    let next = || {
        ensure!(
            index == rounds.len(),
            "expected a round up to {}",
            rounds.len() + 1
        );
        desk.next_round(state, 1).ok_or_else(|| {
            if state.is_round_open() {
                anyhow!("round {} is paired once the one before is over", index + 1)
            } else {
                anyhow!("expected a round up to {index}, the last")
            }
        })
    };
    let paired = rounds.get(index).cloned();
    let round = paired.map_or_else(next, Ok)?;
    Ok(round_text(desk, state, index, &round))
}

/// Returns a round in lines; its index is from 0.
pub(super) fn round_text(desk: &Desk, state: &State, index: usize, round: &Round) -> String {
    let mut text = format!("{}: round {}\n", desk.settings.title, index + 1);
    let before: usize = state.contents.rounds[..index]
        .iter()
        .map(|round| round.games.len())
        .sum();
    for (number, &game) in (before + 1..).zip(&round.games) {
        text += &game_text(state, number, game);
    }
    for &bye in &round.byes {
        let _ = writeln!(text, "{:>4}  {} has a bye", "", state.name(bye));
    }
    let round = index as u32 + 1;
    // Old versions of the programs of a ladder are no news.
    let tells = desk.settings.form != Form::Ladder;
    let absent = state
        .entrants
        .iter()
        .filter(|one| tells && !one.is_present(round));
    for one in absent {
        let gone = one.withdrawn_after.is_some_and(|last| round > last);
        let what = if gone {
            "has withdrawn".to_owned()
        } else if round < one.from_round {
            format!("enters in round {}", one.from_round)
        } else {
            "is absent".to_owned()
        };
        let _ = writeln!(text, "{:>4}  {} {what}", "", state.name(one.engine));
    }
    text
}

/// Returns the lines of a game by its index from 0.
pub(super) fn line(state: &State, index: usize) -> String {
    let game = state.games().nth(index);
    game.map_or_else(String::new, |game| game_text(state, index + 1, game))
}

/// Returns a game with its result, and its faults and decision in further lines.
fn game_text(state: &State, number: usize, game: GameId) -> String {
    let [black, white] = [game.black, game.white].map(|engine| state.name(engine));
    let result = result_text(state, game);
    let mut text = format!("{number:>4}  {black} (black) – {white}  {result}");
    text.truncate(text.trim_end().len());
    text.push('\n');
    for remark in remarks(state, game) {
        let _ = writeln!(text, "      {remark}");
    }
    text
}

/// Returns the discs that count, empty without a result; those of a game that was not played out have a star.
pub(super) fn result_text(state: &State, game: GameId) -> String {
    let Some(result) = state.tally.results().get(&game) else {
        return String::new();
    };
    let was_decided = state.tally.is_forfeit(game) || state.decision(game).is_some();
    let star = if was_decided { "*" } else { "" };
    match state.tally.margin(game) {
        // An odd margin is no difference of 64 discs.
        Some(margin) if margin.half_points().abs() <= 128 && margin.half_points() % 4 == 0 => {
            let black = 32 + margin.half_points() / 4;
            format!("{black}-{}{star}", 64 - black)
        }
        _ => match result.winner() {
            Some(Color::Black) => format!("1-0{star}"),
            Some(Color::White) => format!("0-1{star}"),
            None => format!("½-½{star}"),
        },
    }
}

/// Returns the faults of a game and the decisions on it, in words.
pub(super) fn remarks(state: &State, game: GameId) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(record) = state.games.get(&game) {
        let fault = |(side, fault): &(_, _)| {
            format!("{} {fault}", record.names[Color::from(*side) as usize])
        };
        remarks.extend(record.faults.iter().map(fault));
    }
    remarks.extend(state.rulings(game).iter().map(Ruling::remark));
    remarks
}
