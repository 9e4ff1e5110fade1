//! Games over the formats, between shell scripts and a player of this process.
#![cfg(unix)]

#[path = "../../../tests/support/scripts.rs"]
mod scripts;

use std::future::{pending, ready};

use boardgame_core::ByColor;
use boardgame_match::{
    Choice, GameOptions, GameReport, LocalPlayer, LocalSeat, News, Seat, Turn, conduct,
};
use boardgame_session::{Cause, GameEvent, SeatFault, SeatSession, Thought, Verdict};
use othello_core::{Board, Color, Move};
use othello_host::{
    Fault, ProgramOptions,
    formats::{self, FormatGame},
    replay::{ObservedGame, replay},
};
use scripts::shell;

/// Plays the first of its moves.
struct First;

impl LocalPlayer<Board> for First {
    fn choose(&mut self, turn: &Turn<Board>) -> Choice<Move> {
        let square = turn.position.legal_moves().first().unwrap();
        Choice::Move(square.into(), Thought::default())
    }
}

fn first() -> Box<dyn Seat<Board>> {
    Box::new(LocalSeat::new("first", First).unwrap())
}

/// Plays a shell script as Black, and returns the observed games, including those before a restart.
async fn play<S: SeatSession<Board> + Clone + Send + 'static>(
    format: FormatGame<S>,
    script: &str,
) -> (GameReport<Board>, Vec<String>) {
    let line = shell(script);
    let mut seats = ByColor {
        black: format.program("script", line, ProgramOptions::default()),
        white: first(),
    };
    let mut observed = ObservedGame::new(&format.game).unwrap();
    let mut told = Vec::new();
    let observer = |_: &Board, news: News<'_, Move>| {
        observed.update(&news);
        match news {
            News::Event(GameEvent::Began) => told.push("began".to_owned()),
            News::Event(GameEvent::Restarted) => told.push("restarted".to_owned()),
            News::Event(GameEvent::Moved(..)) => {
                told.push(observed.game().transcript().to_string());
            }
            _ => {}
        }
    };
    let keep = |_: &Board, _: &Verdict| ready(());
    let options = GameOptions::default();
    let seats = seats.as_mut().map(Box::as_mut);
    let played = conduct(format.game, seats, observer, keep, &options, pending());
    (played.await.unwrap(), told)
}

fn black_left() -> Cause {
    Cause::Forfeit {
        by: Color::Black,
        fault: SeatFault::Left,
    }
}

fn cause(report: &GameReport<Board>) -> &Cause {
    &report.outcome.verdict().expect("a verdict").cause
}

#[tokio::test]
async fn of_a_sloan_game_that_begins_again_only_the_new_one_counts() {
    // A Black that takes the opening pass for White's answer; in the new game it leaves early.
    let script = "read colour; echo '(R B)'; read pass; echo '(B d 3)(B f 6)'; \
                  while read line; do [ \"$line\" = '(I B)' ] && break; done; \
                  echo '(R B)'; echo '(B f 5)'; read answer";
    let game = formats::sloan(formats::SloanOptions::default());
    let (report, told) = play(game, script).await;
    assert_eq!(*cause(&report), black_left());
    assert_eq!(replay(&report).transcript().to_string(), "f5f4");
    for seat in report.seats.iter() {
        assert_eq!((seat.moves, &seat.faults[..]), (1, &[][..]));
        assert_eq!(seat.used, seat.longest);
    }
    let again = told.iter().position(|what| what == "restarted").unwrap();
    assert_eq!(told[0], "began");
    assert_eq!(told[again + 1..], ["began", "f5", "f5f4"]);
}

#[tokio::test]
async fn a_program_that_leaves_where_its_sloan_game_begins_again_is_started_anew() {
    let folder = tempfile::tempdir().unwrap();
    // One that crashes at the opening pass; its second launch gets none.
    let script = format!(
        "read colour; echo '(R B)'; \
         if mkdir '{}'; then read pass; echo '(B d 3)'; exit 1; fi; \
         echo '(B f 5)'; read answer",
        folder.path().join("fallen").display(),
    );
    let game = formats::sloan(formats::SloanOptions::default());
    let (report, _) = play(game, &script).await;
    assert_eq!(*cause(&report), black_left());
    assert_eq!(replay(&report).transcript().to_string(), "f5f4");
    let black = &report.seats[Color::Black];
    assert_eq!((black.launches, black.moves), (2, 1));
    // The crash itself is recorded.
    assert!(matches!(black.faults[..], [Fault::Crashed(_)]));
}

#[tokio::test]
async fn a_code_warriors_program_is_started_once_and_told_the_moves() {
    let script = "read news; [ $news = ST ] || exit 1; echo F5; \
                  read news; [ $news = F4 ] || exit 1; echo E3; read news";
    let game = formats::codewarriors(formats::CodeWarriorsOptions::default());
    let (report, told) = play(game, script).await;
    assert_eq!(*cause(&report), black_left());
    assert_eq!(told[..4], ["began", "f5", "f5f4", "f5f4e3"]);
    assert_eq!((told.len(), report.seats[Color::Black].launches), (5, 1));
}

#[tokio::test]
async fn a_program_of_the_gui_is_started_for_each_move() {
    let folder = tempfile::tempdir().unwrap();
    let script = format!(
        "read board; if mkdir '{}'; then echo f5; else echo e3; fi",
        folder.path().join("moved").display(),
    );
    let game = formats::gui(formats::GuiOptions::default());
    let (report, told) = play(game, &script).await;
    let illegal = matches!(
        cause(&report),
        Cause::Forfeit {
            by: Color::Black,
            fault: SeatFault::IllegalMove { .. },
        }
    );
    assert!(illegal, "{:?}", cause(&report));
    assert_eq!(told[..4], ["began", "f5", "f5f4", "f5f4e3"]);
    assert_eq!((told.len(), report.seats[Color::Black].launches), (5, 3));
}
