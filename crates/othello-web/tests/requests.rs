//! Each request with good and bad input.

use othello_analysis::{Discs, Effort, MemoryStore, Source, Store, keep, look_up};
use othello_core::{Game, Position};
use othello_engine::{HashSize, Settings};
use othello_search::StopHandle;
use othello_web::requests::{Prepared, Request, Service};
use serde_json::Value;

fn service() -> Service {
    let settings = Settings {
        hash: HashSize::MIN,
        ..Settings::default()
    };
    Service::new(settings, "test 1.0").expect("memory for a small table")
}

/// The events that answer a request.
fn ask_with(
    request: &str,
    stop: &StopHandle,
    store: Option<&mut dyn Store>,
    after_each: &mut dyn FnMut(&Value),
) -> Vec<Value> {
    let mut events = Vec::new();
    service().answer_json(request.as_bytes(), stop, store, &mut |event| {
        let event: Value = serde_json::from_str(&event.to_json()).expect("an event is JSON");
        after_each(&event);
        events.push(event);
    });
    events
}

fn ask(request: &str) -> Vec<Value> {
    ask_with(request, &StopHandle::new(), None, &mut |_| {})
}

fn last(request: &str) -> Value {
    ask(request).pop().expect("an answer")
}

fn error(request: &str) -> String {
    let answer = last(request);
    assert_eq!(answer["event"], "error", "{answer}");
    answer["message"].as_str().expect("a text").to_owned()
}

fn moves(update: &Value) -> Vec<&str> {
    let moves = update["moves"].as_array().expect("moves");
    moves.iter().filter_map(|mv| mv["move"].as_str()).collect()
}

fn after_f5() -> Position {
    let game: Game = "f5".parse().expect("a move");
    game.board().position()
}

fn score(mv: &Value) -> f64 {
    mv["score"].as_f64().expect("a score")
}

#[test]
fn a_hint_has_the_values_of_all_moves_from_the_first_update_on() {
    let events = ask(r#"{"call":"hint","moves":"f5","depth":7}"#);
    assert!(events.len() > 2, "{events:?}");
    for (index, update) in events.iter().enumerate() {
        assert_eq!(update["event"], "update");
        assert_eq!(update["done"], index + 1 == events.len());
        let mut squares = moves(update);
        squares.sort_unstable();
        assert_eq!(squares, ["d6", "f4", "f6"]);
        let scores = update["moves"].as_array().unwrap().iter().map(score);
        assert!(scores.is_sorted_by(|a, b| a >= b), "{update}");
        assert_eq!(update["moves"][0]["loss"], 0.0);
        assert_eq!(update["moves"][0]["line"][0], moves(update)[0]);
    }
    let last = &events[events.len() - 1];
    // Searches end with an odd number of the 59 empty squares.
    assert_eq!(last["depth"], 6);
    assert_eq!(last["board"]["to_move"], "white");
    assert_eq!(last["board"]["last"], "f5");
}

#[test]
fn moves_that_are_images_of_each_other_have_the_same_value() {
    let update = last(r#"{"call":"hint","depth":5}"#);
    let values = update["moves"].as_array().unwrap();
    assert_eq!(values.len(), 4);
    assert!(values.iter().all(|mv| mv["score"] == values[0]["score"]));
}

#[test]
fn a_stopped_hint_ends_with_what_it_has() {
    let stop = StopHandle::new();
    let events = ask_with(r#"{"call":"hint"}"#, &stop, None, &mut |_| stop.stop());
    let last = &events[events.len() - 1];
    assert_eq!((&last["done"], moves(last).len()), (&Value::Bool(true), 4));
}

#[test]
fn a_hint_ends_with_its_time() {
    let last = last(r#"{"call":"hint","time_ms":200}"#);
    assert_eq!(last["done"], true);
    // The first moves are images of each other, but are searched nonetheless.
    assert!(last["depth"].as_u64() > Some(1), "{last}");
}

#[test]
fn a_single_move_is_searched_like_any_other() {
    let board = "--XXXX--O-XXXXX-OOOOOXXOOXOOXXXOOXOXOOXOOOXOXXXOOXXXXX---O-XXX-- X";
    let hint = r#"{"call":"hint","depth":5,"time_ms":86400000,"board":"BOARD"}"#;
    let last = last(&hint.replace("BOARD", board));
    assert_eq!((moves(&last), &last["depth"]), (vec!["b2"], &5.into()));
}

#[test]
fn a_finished_game_has_no_moves_and_a_forced_pass_is_one() {
    let full = "X".repeat(64);
    let over = last(&format!(r#"{{"call":"hint","board":"{full} X"}}"#));
    assert!(over["done"] == true && moves(&over).is_empty(), "{over}");
    assert!(
        over["board"]["over"] == true && over["depth"] == 0,
        "{over}"
    );
    // White has no move after Black's a1, and Black goes on.
    let board = format!("-OX-OXXX{} X", "X".repeat(56));
    let ask = |call| format!(r#"{{"call":"{call}","board":"{board}","moves":"a1"}}"#);
    let pass = last(&ask("hint"));
    assert_eq!(moves(&pass), ["pass"]);
    assert_eq!(pass["moves"][0]["score"], -64.0);
    let pass = last(&ask("move"));
    assert!(
        pass["move"] == "pass" && pass["board"]["last"] == "pass",
        "{pass}"
    );
}

#[test]
fn a_store_answers_at_once_and_keeps_what_is_found() {
    let mut store = MemoryStore::default();
    let mut hint = |request: &str| {
        let stop = StopHandle::new();
        ask_with(request, &stop, Some(&mut store), &mut |_| {})
    };
    let solved = r#"{"call":"hint","board":"XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X"}"#;
    let first = hint(solved);
    let again = hint(solved);
    assert_eq!(again.len(), 1);
    assert_eq!(again[0]["moves"], first[first.len() - 1]["moves"]);
    assert!(again[0]["nodes"] == 0 && again[0]["done"] == true);
    // Known deeper values are shown until the search has deeper ones.
    let deep = hint(r#"{"call":"hint","moves":"f5","depth":8}"#);
    let shallow = hint(r#"{"call":"hint","moves":"f5","depth":4}"#);
    let of = |events: &[Value]| events.last().map(|last| last["moves"].clone());
    assert_eq!(of(&shallow), of(&deep));
    let position = after_f5();
    let kept = look_up(&mut store, position).unwrap();
    assert_eq!(kept.effort, Effort::Depth(8));
}

#[test]
fn of_the_same_depth_a_stored_value_of_more_confidence_is_shown() {
    let request = r#"{"call":"hint","moves":"f5","depth":8}"#;
    let position = after_f5();
    let mut found = MemoryStore::default();
    ask_with(request, &StopHandle::new(), Some(&mut found), &mut |_| {});
    let mut sure = look_up(&mut found, position).unwrap();
    for (index, value) in sure.moves.iter_mut().enumerate() {
        let depth = 8;
        let confidence = 100;
        value.source = Source::Depth { depth, confidence };
        value.score = Discs::whole(20 - index as i32);
    }
    let mut store = MemoryStore::default();
    keep(&mut store, position, &sure);
    let events = ask_with(request, &StopHandle::new(), Some(&mut store), &mut |_| {});
    let best = &events[events.len() - 1]["moves"][0];
    assert_eq!(best["score"], 20.0);
}

#[test]
fn a_move_comes_with_the_board_after_it() {
    let answer = last(r#"{"call":"move","moves":"f5","level":2}"#);
    assert_eq!(answer["event"], "move");
    let mv = answer["move"].as_str().unwrap();
    assert!(["d6", "f4", "f6"].contains(&mv), "{answer}");
    assert_eq!(answer["board"]["last"], mv);
    assert_eq!(answer["line"][0], mv);
    assert_eq!(answer["depth"], 2);
}

#[test]
fn a_position_has_all_its_boards_and_its_opening() {
    let answer = last(r#"{"call":"position","moves":"F5 d6C3d3c4"}"#);
    assert_eq!(answer["boards"].as_array().unwrap().len(), 6);
    assert_eq!(answer["board"], answer["boards"][5]);
    assert_eq!(answer["opening"]["name"], "Tiger");
    assert_eq!(answer["opening"]["ply"], 5);
}

#[test]
fn records_are_read_in_parts_and_damage_is_told() {
    let text =
        r"(;GM[2]SZ[8]PB[Ann]PW[Bob]C[two];B[f5]C[good];W[d6])\n(;GM[2]B[a1])\n(;GM[2]B[d3])";
    let ask = |more: &str| last(&format!(r#"{{"call":"records","text":"{text}"{more}}}"#));
    let all = ask("");
    assert_eq!((&all["format"], &all["total"]), (&"SGF".into(), &3.into()));
    let numbers = |answer: &Value| -> Vec<u64> {
        let games = answer["games"].as_array().unwrap().iter();
        games.map(|game| game["number"].as_u64().unwrap()).collect()
    };
    assert_eq!(numbers(&all), [1, 3]);
    let first = &all["games"][0];
    assert_eq!(first["info"]["black"]["name"], "Ann");
    assert_eq!(first["moves"], "f5d6");
    assert_eq!(first["comments"].as_array().unwrap().len(), 1, "{first}");
    assert_eq!(all["problems"][0]["game"], 2);
    assert_eq!(numbers(&ask(r#","first":2,"count":5"#)), [3]);
    assert_eq!(numbers(&ask(r#","count":1"#)), [1]);
    // "f5d6"
    let file = last(r#"{"call":"records","base64":"ZjVkNg=="}"#);
    assert_eq!(file["games"][0]["moves"], "f5d6");
}

#[test]
fn what_was_played_has_the_newest_games_first() {
    let game = |date, moves| format!("(;GM[2]SZ[8]PB[Ann]PW[Bob]DT[{date}]RE[B+4]{moves})");
    let text = [
        game("1999", ";B[f5];W[d6];B[c3]"),
        game("2001-02", ";B[d3];W[c5]"), // turned
        game("2001", ";B[f5];W[d6]"),
        game("2003", ";B[f5];W[f4]"),
        "(;GM[2]B[a1])".to_owned(),
    ]
    .concat();
    let answer = last(&format!(
        r#"{{"call":"explore","moves":"f5d6","text":"{text}"}}"#
    ));
    let count = |name: &str| answer[name].as_u64();
    assert_eq!(
        [count("total"), count("games"), count("ended")],
        [Some(5), Some(3), Some(2)]
    );
    assert_eq!(
        (moves(&answer), &answer["opening"]),
        (vec!["c3"], &"Perpendicular".into())
    );
    let newest = answer["newest"].as_array().unwrap().iter();
    let newest: Vec<_> = newest
        .map(|game| (game["number"].as_u64(), game["ply"].as_u64()))
        .collect();
    assert_eq!(
        newest,
        [(Some(2), Some(2)), (Some(3), Some(2)), (Some(1), Some(2))]
    );
}

#[test]
fn an_analysis_reports_its_progress_and_each_step() {
    let events = ask(r#"{"call":"analyze","moves":"f5d6c3d3c4","depth":9,"exact_from":10}"#);
    let of = |name: &str| {
        let events = events.iter().filter(|event| event["event"] == name);
        events.collect::<Vec<_>>()
    };
    let reports = of("report");
    let complete: Vec<_> = reports.iter().map(|report| &report["complete"]).collect();
    assert_eq!(complete, [false, true]);
    let report = &reports[1]["report"];
    assert_eq!(report["program"], "test 1.0");
    assert_eq!(report["curve"].as_array().unwrap().len(), 6);
    let mut curve = report["curve"].as_array().unwrap().iter();
    assert!(curve.all(Value::is_number), "{report}");
    assert_eq!(report["settings"]["depth"], 9);
    let progress = of("progress");
    for depth in [8, 9] {
        let of_step = progress.iter().filter(|event| event["depth"] == depth);
        let numbers =
            of_step.map(|event| ["done", "total"].map(|name| event[name].as_u64().unwrap()));
        let numbers: Vec<[u64; 2]> = numbers.collect();
        assert!(numbers.is_sorted_by(|[before, _], [done, _]| before < done));
        let [done, total] = numbers.last().expect("progress");
        assert_eq!(done, total);
    }
    assert_eq!(events[events.len() - 1]["event"], "report");
}

#[test]
fn a_stopped_analysis_ends_with_a_report_that_is_not_complete() {
    let stop = StopHandle::new();
    let events = ask_with(
        r#"{"call":"analyze","text":"f5d6c3d3c4","game":1}"#,
        &stop,
        None,
        &mut |event| {
            if event["event"] == "report" {
                stop.stop();
            }
        },
    );
    let last = &events[events.len() - 1];
    assert!(last["event"] == "report" && last["complete"] == false);
    assert_eq!(last["report"]["settings"]["depth"], 8);
}

#[test]
fn a_search_may_be_stopped_before_it_begins() {
    let stop = StopHandle::new();
    stop.stop();
    for request in [
        r#"{"call":"hint"}"#,
        r#"{"call":"move","level":60}"#,
        r#"{"call":"analyze","moves":"f5d6"}"#,
    ] {
        assert!(!ask_with(request, &stop, None, &mut |_| {}).is_empty());
    }
}

#[test]
fn wrong_requests_say_what_was_expected() {
    let records = "expected either text, base64, or board and moves";
    for (call, fields, expected) in [
        ("fly", "", "unknown variant `fly`, expected one of `hint`"),
        (
            "hint",
            r#""colour":1"#,
            "unknown field `colour`, expected one of `board`",
        ),
        ("hint", r#""depth":"4""#, "expected u32"),
        (
            "hint",
            r#""depth":0"#,
            "depth: expected a number from 1 to 60, found 0",
        ),
        (
            "hint",
            r#""board":"XO""#,
            "board: expected one of 64 squares",
        ),
        ("hint", r#""moves":"a1""#, "moves: illegal move a1"),
        (
            "move",
            r#""level":61"#,
            "full, a level from 1 to 60 or a rating from 100 to 9999",
        ),
        ("move", r#""clock":{}"#, "missing field `remaining_ms`"),
        ("records", "", records),
        (
            "records",
            r#""text":"hello""#,
            "text: expected moves (f5d6c3), boards",
        ),
        (
            "records",
            r#""text":"f5","count":1001"#,
            "count: expected a number from 0 to 1000",
        ),
        ("records", r#""base64":"?""#, "expected bytes in base 64"),
        ("analyze", "", records),
        (
            "analyze",
            r#""text":"f5","moves":"f5""#,
            "expected either text",
        ),
        (
            "analyze",
            r#""text":"f5","game":2"#,
            "game: expected a number from 1 to 1",
        ),
        (
            "analyze",
            r#""moves":"f5","depth":1"#,
            "depth: expected a number from 2 to 60",
        ),
    ] {
        let comma = if fields.is_empty() { "" } else { "," };
        let error = error(&format!(r#"{{"call":"{call}"{comma}{fields}}}"#));
        assert!(error.contains(expected), "{call} {fields}: {error}");
    }
    assert!(error("f5").contains("expected a request in JSON: expected"));
    let over = format!(r#"{{"call":"move","board":"{} X"}}"#, "X".repeat(64));
    assert_eq!(error(&over), "moves: expected a game that is not over");
}

#[test]
fn requests_without_a_search_are_answered_when_they_are_checked() {
    let request = Request::from_json(br#"{"call":"position"}"#).unwrap();
    assert!(matches!(request.prepare(), Ok(Prepared::Answer(_))));
}
