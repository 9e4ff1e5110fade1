//! The commands by name: what is listed here is what is carried out.

use super::{Command, Failure, Outcome, Player, commands, gogui};

/// A function that carries out a command.
type Handler = fn(&mut Player, &Command) -> Result<Outcome, Failure>;

/// Every command that the engine knows, in the order of `list_commands`.
pub(super) const COMMANDS: &[(&str, Handler)] = &[
    ("protocol_version", commands::protocol_version),
    ("name", commands::name),
    ("version", commands::version),
    ("known_command", commands::known_command),
    ("list_commands", commands::list_commands),
    ("quit", commands::quit),
    ("boardsize", commands::boardsize),
    ("clear_board", commands::clear_board),
    ("komi", commands::komi),
    ("play", commands::play),
    ("genmove", commands::genmove),
    ("reg_genmove", commands::reg_genmove),
    ("undo", commands::undo),
    ("time_settings", commands::time_settings),
    ("time_left", commands::time_left),
    ("final_score", commands::final_score),
    ("loadsgf", commands::loadsgf),
    ("showboard", commands::showboard),
    ("list_games", commands::list_games),
    ("set_game", commands::set_game),
    ("gogui-analyze_commands", gogui::analyze_commands),
    ("gogui-play_sequence", gogui::play_sequence),
    ("gogui-rules_board", gogui::rules_board),
    ("gogui-rules_board_size", gogui::rules_board_size),
    ("gogui-rules_final_result", gogui::rules_final_result),
    ("gogui-rules_game_id", commands::list_games),
    ("gogui-rules_legal_moves", gogui::rules_legal_moves),
    ("gogui-rules_side_to_move", gogui::rules_side_to_move),
    ("gogui-setup", gogui::setup),
    ("gogui-setup_player", gogui::setup_player),
];

/// Carries a command out, if it is known.
pub(super) fn carry_out(player: &mut Player, command: &Command) -> Result<Outcome, Failure> {
    let named = |(name, _): &&(&str, Handler)| *name == command.name;
    let (_, handler) = (COMMANDS.iter().find(named)).ok_or(Failure::UnknownCommand)?;
    handler(player, command)
}
