//! Predetermined games, programs that play one side of them, and opponents that play the other.

use std::{env, path::Path, time::Duration};

use boardgame_core::ByColor;
use boardgame_io::CommandLine;
use boardgame_match::{
    EngineId, GameId, Seat as _,
    engine::{self, Patience},
    limit::Limit,
    record::PlayedGame,
};
use othello_core::{Bitboard, Board, Color, Game, Move, Square};
use othello_match::{
    engine::{EngineSpec, Kind},
    engine_seat::EngineSeat,
    protocol::{Protocol, WireFormat},
    runner::game_from,
};
use othello_proto::{codewarriors, lth::ServerLine, sloan};

use crate::scripts::{shell, short_grace};

/// The name of the test that acts as an LTH client if given an address.
pub(crate) const LTH_CLIENT: &str = "games::an_lth_client_plays_a_whole_game";

/// The variable with the server address for an LTH client.
pub(crate) const LTH_ADDRESS: &str = "OTHELLO_MATCH_TEST_LTH_ADDRESS";

/// The variable with an LTH client's answers to the requests for a move, in order.
pub(crate) const LTH_ANSWERS: &str = "OTHELLO_MATCH_TEST_LTH_ANSWERS";

/// The variable with the end of an LTH client that has no answer left: `exit`, or it hangs.
pub(crate) const LTH_END: &str = "OTHELLO_MATCH_TEST_LTH_END";

pub(crate) fn format(name: &str) -> WireFormat {
    let Some(Protocol::Wire(format)) = Protocol::from_name(name) else {
        panic!("{name} is no wire format");
    };
    format
}

/// Enough time on a busy machine.
pub(crate) fn ample(format: WireFormat) -> Limit {
    match format {
        WireFormat::Sloan(_) | WireFormat::Lth => "game:1h".parse().unwrap(),
        WireFormat::Codewarriors | WireFormat::Gui(_) => "move:5m".parse().unwrap(),
    }
}

/// Too little time for a program that sleeps for a second.
pub(crate) fn tight(format: WireFormat) -> Limit {
    match format {
        WireFormat::Sloan(_) | WireFormat::Lth => "game:100ms".parse().unwrap(),
        WireFormat::Codewarriors | WireFormat::Gui(_) => "move:100ms".parse().unwrap(),
    }
}

/// Short grace periods, to keep tests of hanging programs fast.
pub(crate) fn quick() -> Patience {
    Patience {
        ending: Duration::from_secs(2),
        program: short_grace(),
        ..Patience::default()
    }
}

/// The seat of a program that speaks a wire format.
pub(crate) fn wire(
    format: WireFormat,
    script: &str,
    limit: Limit,
    patience: Patience,
) -> EngineSeat {
    seat(Protocol::Wire(format), shell(script), limit, patience)
}

/// The seat of a program.
pub(crate) fn seat(
    protocol: Protocol,
    line: CommandLine,
    limit: Limit,
    patience: Patience,
) -> EngineSeat {
    let spec = EngineSpec {
        name: "program".into(),
        kind: Kind::Program {
            protocol,
            line,
            setup: Vec::new(),
        },
        limit,
    };
    EngineSeat::new(spec, patience, false)
}

/// An opponent that runs `before` before each of its moves, and resigns after the last.
pub(crate) fn opponent(moves: &[Move], before: &str) -> EngineSeat {
    let squares: Vec<String> = moves
        .iter()
        .filter_map(|mv| mv.square())
        .map(|square| square.to_string())
        .collect();
    let script = format!(
        "while read -r line; do case $line in \
         clear_board) set -- {} resign; printf '= \\n\\n';; \
         genmove*) {before} printf '= %s\\n\\n' $1; shift;; \
         *) printf '= \\n\\n';; esac; done",
        squares.join(" ")
    );
    seat(
        Protocol::Gtp,
        shell(&script),
        Limit::default(),
        Patience::default(),
    )
}

/// A whole game from `start` in which both sides pass and `program` plays the moves of `choose`.
pub(crate) fn game_with_passes(
    start: Board,
    program: Color,
    choose: impl Fn(Bitboard) -> Option<Square>,
) -> Game {
    let passed = |game: &Game, color| {
        let mut plies = game.plies();
        plies.any(|(board, mv)| mv == Move::Pass && board.side_to_move() == color)
    };
    (0..10_000)
        .map(|seed| play_out(start, program, &choose, seed))
        .find(|game| Color::ALL.iter().all(|&color| passed(game, color)))
        .expect("such a game is not rare")
}

fn play_out(
    start: Board,
    program: Color,
    choose: impl Fn(Bitboard) -> Option<Square>,
    seed: u64,
) -> Game {
    let mut game = Game::new(start);
    let mut state = seed;
    while !game.is_over() {
        let moves = game.board().legal_moves();
        // Knuth's constants of a linear congruential generator.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let any = moves
            .iter()
            .nth((state >> 33) as usize % moves.iter().count().max(1));
        let square = if game.side_to_move() == program {
            choose(moves).or(any)
        } else {
            any
        };
        game.play(square.map_or(Move::Pass, Move::Place)).unwrap();
    }
    game
}

/// The moves of `color` in a game, including passes.
pub(crate) fn moves_of(game: &Game, color: Color) -> Vec<Move> {
    let plies = game.plies();
    let own = plies.filter(|(board, _)| board.side_to_move() == color);
    own.map(|(_, mv)| mv).collect()
}

/// A script that answers each message with a move, and then runs `end`.
pub(crate) fn script(format: WireFormat, color: Color, moves: &[Move], end: &str) -> String {
    match format {
        WireFormat::Sloan(dialect) => {
            let print = |message| sloan::print(&message, dialect);
            let mut text = answer(&print(sloan::Message::Ready(color)));
            for &mv in moves {
                text += &answer(&print(sloan::Message::Move { color, mv }));
            }
            text + end
        }
        WireFormat::Codewarriors => {
            let answers = moves.iter().map(|&mv| codewarriors::Message::from(mv));
            let text: String = answers
                .map(|message| answer(&message.to_string()))
                .collect();
            text + end
        }
        WireFormat::Lth => {
            let answers: Vec<String> = moves
                .iter()
                .map(|&mv| ServerLine::Move(mv).to_string())
                .collect();
            lth_client(&answers.join(" "), end)
        }
        WireFormat::Gui(_) => unreachable!("it is sent the moves to choose from"),
    }
}

/// Reads a line and prints one.
pub(crate) fn answer(line: &str) -> String {
    format!("read line; echo '{}'; ", line.trim_end())
}

/// Runs this very program as a client of the LTH format.
pub(crate) fn lth_client(answers: &str, end: &str) -> String {
    let this = env::current_exe().unwrap();
    let this = this.to_str().unwrap();
    format!(
        "export {LTH_ADDRESS}={{host}}:{{port}} {LTH_ANSWERS}='{answers}' {LTH_END}='{end}'; \
         exec '{this}' --exact {LTH_CLIENT} --nocapture"
    )
}

/// Plays `whole` from a number of moves on, against an opponent that plays the other side of it.
pub(crate) async fn play(
    program: &mut EngineSeat,
    whole: &Game,
    from: usize,
    color: Color,
) -> PlayedGame {
    let mut opening = Game::new(whole.start());
    for &mv in &whole.moves()[..from] {
        opening.play(mv).unwrap();
    }
    let plies = whole.plies().skip(from);
    let others = plies.filter(|(board, _)| board.side_to_move() != color);
    let moves: Vec<Move> = others.map(|(_, mv)| mv).collect();
    let mut other = opponent(&moves, "");
    let played = play_against(program, &mut other, opening, color).await;
    other.close().await;
    played
}

/// Plays a game in which the program has `color` and no move may be late.
pub(crate) async fn play_against(
    program: &mut EngineSeat,
    other: &mut EngineSeat,
    opening: Game,
    color: Color,
) -> PlayedGame {
    let [black, white] = match color {
        Color::Black => [program, other],
        Color::White => [other, program],
    };
    let id = GameId {
        opening: 0,
        black: EngineId(0),
        white: EngineId(1),
    };
    let seats = ByColor { black, white };
    engine::play(id, &game_from(&opening), seats, |_| {}).await
}

/// The number that a script wrote to a file at its start.
pub(crate) async fn number_in(file: &Path) -> u32 {
    for _ in 0..600 {
        if let Some(number) = std::fs::read_to_string(file)
            .ok()
            .and_then(|text| text.strip_suffix('\n')?.parse().ok())
        {
            return number;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no number in {}", file.display());
}
