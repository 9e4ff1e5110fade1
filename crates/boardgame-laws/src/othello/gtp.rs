//! The Go Text Protocol.

use othello_core::{Move, Square};

use super::{Answered, PlayerFormat, Script, asked_programs, player_session};
use crate::{
    PlayerEvent,
    gtp::{OpenCommands, commands, responses},
};
use othello_proto::{
    gtp::{
        Answer, Command, GtpSeat, GtpSeatOptions, OthelloGame, Player, PlayerOptions, parse_answer,
        parse_vertex,
    },
    session::{Ending, Task},
};

/// Commands, answers and responses read back; responses do not depend on how the bytes are split.
pub fn parse(data: &[u8]) {
    commands(data);
    entities(&String::from_utf8_lossy(data));
    responses(data);
}

fn entities(text: &str) {
    if let Ok(answer) = parse_answer(text) {
        assert!(answer.to_string().eq_ignore_ascii_case(text));
        assert_eq!(parse_answer(&answer.to_string()), Ok(answer));
    }
    if let Ok(vertex) = parse_vertex(text) {
        assert!(vertex.to_string().eq_ignore_ascii_case(text));
    }
}

/// The laws of a player's session and of [`OpenCommands`]; also: a move is the answer to a task
/// that allows it; the board changes only by legal moves.
pub fn player(data: &[u8]) {
    let options = PlayerOptions {
        load: |path| {
            (path == "game.sgf")
                .then(|| SGF.into())
                .ok_or("expected game.sgf".into())
        },
        ..PlayerOptions::default()
    };
    let mut law = PlayerLaw(OpenCommands::of::<OthelloGame>());
    player_session(&mut law, Player::new(options), data);
}

/// The laws of a host's game.
pub fn host(data: &[u8]) {
    let responses = &[
        "= gogui-setup\ngogui-setup_player\nfinal_score\n\n",
        "=\n\n",
        "? no\n\n",
        "= resign\n\n",
        "= W+2\n\n",
        "thinking\n",
    ];
    let seat = || GtpSeat::new(GtpSeatOptions::default());
    asked_programs(seat, responses, |mv| format!("= {mv}\n\n"), data);
}

/// A record that `loadsgf` finds.
const SGF: &str = "(;GM[2];B[f5];W[d6];B[c3])";

/// Lines of a controller other than `play` and `genmove`, valid and invalid.
const LINES: [&str; 32] = [
    "name",
    "5 list_commands",
    "known_command play",
    "boardsize 8",
    "boardsize 19",
    "clear_board",
    "komi 6.5",
    "undo",
    "time_settings 0 0 0",
    "time_settings 60 0 0",
    "time_settings 0 10 2",
    "time_settings 5 10 3",
    "time_left b 3 0",
    "time_left w 0.25 1",
    "final_score",
    "loadsgf game.sgf",
    "loadsgf game.sgf 2",
    "loadsgf no.sgf",
    "showboard",
    "gogui-rules_board",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "gogui-rules_final_result",
    "gogui-play_sequence b d3 w c3",
    "gogui-play_sequence b d3 b c3",
    // A wipe-out in one move, a forced pass, and one square to fill.
    "gogui-setup b c4 w d4",
    "gogui-setup b b1 w c1",
    "gogui-setup_player w",
    "play b pass",
    "play w pass",
    "12",
    "nonsense # and more",
];

struct PlayerLaw(OpenCommands);

impl PlayerFormat for PlayerLaw {
    type Session = Player;

    fn speak(&mut self, script: &mut Script<'_>, session: &Player) -> Vec<u8> {
        let board = session.board();
        let moves: Vec<Square> = board.legal_moves().iter().collect();
        // Always the same number of choices, so that seeds stay in step with the game.
        let (kind, index) = (script.pick(16), usize::from(script.byte()));
        let side = board.side_to_move();
        let command = match kind {
            0..4 => Command::genmove(side),
            4 => Command::genmove(!side),
            5 => Command::new("reg_genmove").argument(side).numbered(3),
            6 => Command::play(!side, Square::ALL[index % 64]),
            7 if index == 0 => Command::new("quit"),
            7..11 if moves.is_empty() => Command::play(side, Move::Pass),
            7..11 => Command::play(side, moves[index % moves.len()]),
            _ => return format!("{}\n", LINES[index % LINES.len()]).into_bytes(),
        };
        format!("{command}\n").into_bytes()
    }

    fn fed(&mut self, event: PlayerEvent<'_>) {
        self.0.fed(event);
    }

    fn asked(&mut self, task: &Task) {
        self.0.asked();
        assert_eq!(task.question.moves, task.question.board.legal_moves());
    }

    fn sent(&mut self, session: &Player, bytes: &[u8], answered: Option<&Answered<'_>>) {
        let (command, response) = self.0.answered(bytes);
        // Commands that waited for the decision are answered after it.
        let is_move = command.is_some_and(|command| command.name.contains("genmove"));
        let Some(answered) = answered.filter(|_| is_move && response.success) else {
            return;
        };
        let Ok(Answer::Move(Move::Place(square))) = parse_answer(&response.text) else {
            return; // A pass that was forced.
        };
        let question = &answered.task.question;
        answered.check(square);
        let mut after = question.board;
        assert_eq!(after.play(square), Ok(()));
        let board = session.board();
        // A move that is only reported is not on the board, where even a pass may still be owed.
        let untouched = board == question.board || board.passed() == question.board;
        assert!(board == after || untouched, "{board} after {square}");
    }

    fn settled(&mut self, _: &Player, is_thinking: bool) {
        self.0.settled(is_thinking);
    }

    fn finished(&mut self, ending: &Ending) {
        self.0.finished(ending);
    }
}
