//! Matches, from the command line to the log.

use std::{
    fs,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use crate::support::{Folder, PROGRAM, Ran};

/// Returns a match with the words of a line.
fn command(folder: &Folder, line: &str, engines: &[&str]) -> Command {
    let engines = engines.iter().flat_map(|engine| ["-e", *engine]);
    let words = ["match"].into_iter().chain(engines);
    folder.with_words(&words.chain(line.split_whitespace()).collect::<Vec<_>>())
}

fn play(folder: &Folder, line: &str, engines: &[&str]) -> Ran {
    command(folder, line, engines)
        .output()
        .expect("the tool")
        .into()
}

/// Plays a match that must succeed, and returns its output.
fn check(folder: &Folder, line: &str, engines: &[&str]) -> String {
    let ran = play(folder, line, engines);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.out
}

/// Returns the lines of the recorded games.
fn games(folder: &Folder) -> Vec<String> {
    let text = fs::read_to_string(folder.path("match.jsonl")).unwrap_or_default();
    let games = text.lines().filter(|line| line.contains("\"game\""));
    games.map(str::to_owned).collect()
}

const OWN: [&str; 2] = ["a=own:hash=1", "b=own:hash=1"];

#[test]
fn a_deeper_search_wins_and_a_match_is_extended_without_replaying() {
    let folder = Folder::new();
    let limits = "-l a=depth:4 -l b=depth:1";
    let first = check(&folder, &format!("{limits} --games 20"), &OWN);
    assert!(first.contains("complete: 20 games"), "{first}");
    assert!(first.contains("of 20 games"), "{first}");
    let played = games(&folder);
    assert_eq!(played.len(), 20);

    let longer = check(&folder, &format!("{limits} --games 30"), &OWN);
    assert!(longer.contains("complete: 30 games"), "{longer}");
    assert_eq!(games(&folder)[..20], played);
    assert_eq!(games(&folder).len(), 30);
    let elo = longer.lines().find(|line| line.starts_with("Elo")).unwrap();
    assert!(!elo.contains('-'), "{elo}");

    let again = check(&folder, &format!("{limits} --games 30"), &OWN);
    assert_eq!(again, longer);
    assert_eq!(games(&folder).len(), 30);
}

#[cfg(unix)]
#[test]
fn a_program_is_told_the_seed_of_each_game() {
    let folder = Folder::new();
    for protocol in ["gtp", "codewarriors"] {
        let player = format!("{PROGRAM} player {protocol} --depth 1 --hash 1 --threads 1");
        let engine = format!("p={protocol}:sh -c 'echo {{seed}} >>{protocol}; exec {player}'");
        let line = format!("-l own=depth:1 -l p=move:1s --games 2 --log {protocol}.jsonl");
        let output = play(&folder, &line, &["own=own:hash=1", &engine]);
        let told = output.errors;
        assert_eq!(output.code, Some(0), "{told}");
        let at_start = "all games begin at the start (--openings start), since the protocol of p";
        assert_eq!(
            told.contains(at_start),
            protocol == "codewarriors",
            "{told}"
        );
        let told = folder.read(protocol);
        let seeds: std::collections::BTreeSet<u64> =
            told.lines().map(|line| line.parse().unwrap()).collect();
        assert!(seeds.len() >= 2, "{protocol}: {told}");
    }
}

/// Returns the moves and results of the games in a log, by their identity, which do not depend on when they are played.
fn by_identity(log: &str) -> Vec<String> {
    let field = |line: &str, from: &str, to: &str| {
        let (_, rest) = line.split_once(from).unwrap();
        rest.split_once(to).unwrap().0.to_owned()
    };
    let games = log.lines().filter(|line| line.contains("\"game\""));
    let game = |line: &str| {
        let id = field(line, "\"id\":{", "}");
        let moves = field(line, "\"moves\":\"", "\"");
        let result = field(line, "\"result\":{", "}");
        format!("{id} {moves} {result}")
    };
    let mut games: Vec<String> = games.map(game).collect();
    games.sort();
    games
}

/// Returns the statistics of a report, before the table of times.
fn statistics(report: &str) -> &str {
    let (_, statistics) = report.split_once("a against b").unwrap();
    statistics.split_once("\n\n").unwrap().0
}

#[test]
fn merged_shards_are_the_games_of_one_match_with_its_statistics() {
    let folder = Folder::new();
    let line = "-l a=nodes:800 -l b=nodes:100 --games 20";
    let whole = check(&folder, line, &OWN);
    let log = |name: &str| folder.read(name);
    let played = by_identity(&log("match.jsonl"));
    assert_eq!(played.len(), 20);

    let shard = |shard: u32| format!("{line} --parts p --shard {shard}/7 --manifest p.toml");
    let merge = format!("{line} --parts p --merge --log merged.jsonl");
    for index in 0..7 {
        let told = check(&folder, &shard(index), &OWN);
        let games = if index < 6 { 3 } else { 2 };
        assert_eq!(told, format!("{games} games in p/match-{index}of7.part\n"));
        if index == 3 {
            let error = play(&folder, &merge, &OWN).errors;
            assert!(error.contains("found none of 4/7, 5/7, 6/7"), "{error}");
        }
    }
    let before = log("p/match-2of7.part");
    check(&folder, &shard(2), &OWN);
    assert_eq!(log("p/match-2of7.part"), before);
    assert_eq!(fs::read_dir(folder.path("p")).unwrap().count(), 7);

    for _ in 0..2 {
        let merged = check(&folder, &merge, &OWN);
        assert_eq!(statistics(&merged), statistics(&whole));
        assert_eq!(by_identity(&log("merged.jsonl")), played);
    }
    let told = play(&folder, &merge.replace("b=nodes:100", "b=nodes:101"), &OWN).errors;
    assert!(
        told.contains("is of other work: expected engines = ") && told.contains("nodes:101"),
        "{told}"
    );
    let told = play(&folder, &shard(0).replace("--games 20", "--games 30"), &OWN).errors;
    assert!(
        told.contains("p.toml: not as in the manifest: expected 20 items, found 30 items"),
        "{told}"
    );
}

#[test]
fn a_killed_shard_of_a_match_is_resumed() {
    let folder = Folder::new();
    let line = "-l nodes:3000 --games 12 --parts p --shard 1/2";
    let log = folder.path("p/match-1of2.jsonl");
    let games = || {
        let text = fs::read_to_string(&log).unwrap_or_default();
        text.lines()
            .filter(|line| line.contains("\"game\""))
            .count()
    };
    let mut child = command(&folder, line, &OWN)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while games() < 2 && child.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(games() >= 2);
    let logged = fs::read(&log).unwrap();
    for _ in 0..2 {
        let told = check(&folder, line, &OWN);
        assert_eq!(told, "6 games in p/match-1of2.part\n");
        assert!(!log.exists());
        // As if it had been killed before removing the log.
        fs::write(&log, &logged).unwrap();
    }
}

#[test]
fn a_match_whose_games_depend_on_those_before_has_no_shards() {
    let folder = Folder::new();
    for (line, expected) in [
        ("--form swiss", "another form for shards"),
        ("--form knock-out", "another form for shards"),
        (
            "--sprt",
            "a match without --sprt and --match-cpu for shards",
        ),
    ] {
        let line = format!("-l depth:1 --parts p --shard 0/2 {line}");
        let error = play(&folder, &line, &OWN).errors;
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn the_log_of_another_match_is_refused_with_what_differs() {
    let folder = Folder::new();
    check(&folder, "-l depth:1 --games 2", &OWN);
    let output = play(&folder, "-l depth:2 --games 2", &OWN);
    assert_eq!(output.code, Some(1));
    let error = output.errors;
    assert!(
        error.contains("depth:1") && error.contains("depth:2"),
        "{error}"
    );
    assert_eq!(games(&folder).len(), 2);
    let output = play(&folder, "-l depth:1 --games 2 --tolerance 0s", &OWN);
    assert!(output.errors.contains("tolerance=0s"), "{}", output.errors);

    // The same command in another folder is another engine.
    let entry = |name: &str| {
        fs::create_dir(folder.path(name)).unwrap();
        let text = format!(
            "[[engine]]\nname = 'a'\nprotocol = 'gtp'\ncommand = 'sh ../e.sh'\ndirectory = '{name}'\n\
             [[engine]]\nname = 'b'\nprotocol = 'own'\nlimit = 'depth:1'\n"
        );
        folder.write("engines.toml", text);
    };
    let line = "--engines engines.toml --games 2 --log folders.jsonl";
    script(&folder, "e.sh", "genmove*) printf '= resign\\n\\n';;");
    entry("one");
    check(&folder, line, &[]);
    entry("two");
    let told = play(&folder, line, &[]).errors;
    assert!(
        told.contains("(in one)") && told.contains("(in two)"),
        "{told}"
    );
}

#[test]
fn an_engine_that_never_starts_is_an_error_and_loses_no_game() {
    let folder = Folder::new();
    let ends = script(
        &folder,
        "ends.sh",
        "list_commands) echo 'no book' >&2; exit 3;;",
    );
    let ends_later = script(&folder, "later.sh", "clear_board) exit 3;;");
    let [none, crashed] = ["No such file", "crashed: exit status: 3"];
    for (engine, cause) in [
        ("b=gtp:/nonexistent/engine -x", none),
        ("b=nboard:/nonexistent/engine", none),
        ("b=sloan:/nonexistent/engine", none),
        ("b=lth:/nonexistent/engine", none),
        ("b=codewarriors:/nonexistent/engine", none),
        ("b=gui:/nonexistent/engine", none),
        ("b=gui-stay-v2:/nonexistent/engine", none),
        ("b=sloan:true", "it ended before the game, exit status: 0"),
        ("b=sloan:yes", " bytes"),
        (&ends, "crashed: exit status: 3: no book"),
        (&ends_later, crashed),
    ] {
        let line = "-l a=depth:1 --openings start --games 400 --sprt";
        let output = play(&folder, line, &["a=own:hash=1", engine]);
        assert_eq!(output.code, Some(1), "{engine}");
        let told = output.errors;
        let expected = format!("othello: {engine} did not start: ");
        assert!(
            told.starts_with(&expected) && told.contains(cause),
            "{told}"
        );
        assert_eq!(games(&folder), Vec::<String>::new());
    }
    // The log still serves the command that it was made for, with its result.
    let line = "-l depth:1 --openings start --games 2";
    let report = check(&folder, line, &OWN);
    assert!(report.contains("complete: 2 games"), "{report}");
}

#[cfg(unix)]
#[test]
fn a_match_tells_the_likely_cause_of_a_fault() {
    let folder = Folder::new();
    let engines = ["a=codewarriors:sh -c 'read line; echo d3'", "b=own"];
    let line = "-l a=move:1s -l b=depth:1 --openings start --games 2";
    check(&folder, line, &engines);
    let log = folder.read("match.jsonl");
    assert_eq!(log.matches("in capital letters only").count(), 2, "{log}");
}

#[test]
fn a_match_that_is_over_is_told_without_its_engines() {
    let folder = Folder::new();
    let engine = script(&folder, "b.sh", "genmove*) printf '= resign\\n\\n';;");
    let engines = ["a=own:hash=1", &engine];
    let line = "-l a=depth:1 --games 2";
    let report = check(&folder, line, &engines);
    fs::remove_file(folder.path("b.sh")).unwrap();
    assert_eq!(check(&folder, line, &engines), report);
    let output = play(&folder, "-l a=depth:1 --games 4", &engines);
    assert!(output.errors.contains("did not start"));
    assert_eq!(games(&folder).len(), 2);
}

#[test]
fn a_log_that_is_no_file_is_refused() {
    let folder = Folder::new();
    let output = play(&folder, "-l depth:1 --games 2 --log /dev/null", &OWN);
    assert!(output.errors.contains("expected a regular file"));
}

#[test]
fn a_test_stops_the_match_once_it_is_decided() {
    let folder = Folder::new();
    let line = "-l a=depth:1 -l b=depth:4 --games 400 --sprt elo0=0,elo1=200";
    let output = play(&folder, line, &OWN);
    assert_eq!(output.code, Some(3));
    let report = output.out;
    assert!(report.contains("games: H0, the difference is"), "{report}");
}

#[test]
fn games_that_repeat_are_told() {
    let folder = Folder::new();
    let report = check(&folder, "-l depth:1 --openings start --games 6", &OWN);
    assert!(report.contains("caution: 4 games repeat"), "{report}");
    let folder = Folder::new();
    let report = check(&folder, "-l depth:1 --games 6", &OWN);
    assert!(!report.contains("caution"), "{report}");
}

#[test]
fn the_cpu_time_of_another_engine_is_matched_once_and_remembered() {
    let folder = Folder::new();
    let line = "-l a=nodes:500 -l b=nodes:2000 --match-cpu a=b --games";
    let output = play(&folder, &format!("{line} 2"), &OWN);
    assert_eq!(output.code, Some(0), "{}", output.errors);
    assert!(output.errors.contains("calibration: 500 nodes cost"));
    let log = folder.read("match.jsonl");
    let (_, limit) = log.split_once("\"limit\":\"nodes:").unwrap();
    let nodes = limit.split_once('"').map(|(nodes, _)| nodes.parse::<u32>());
    let nodes = nodes.unwrap().unwrap();
    assert!((1000..4000).contains(&nodes), "{log}");
    assert!(output.out.contains(" 2000 nodes"), "{}", output.out);

    let output = play(&folder, &format!("{line} 4"), &OWN);
    assert_eq!(output.out.matches("complete: 4 games").count(), 1);
    assert!(!output.errors.contains("calibration"));
}

/// Writes a shell program that answers GTP with `answers`, `$line` being the command.
fn script(folder: &Folder, name: &str, answers: &str) -> String {
    let text = format!(
        "while read -r line; do case \"$line\" in\n{answers}\n*) printf '= \\n\\n';; esac; done\n"
    );
    folder.write(name, text);
    format!("{}=gtp:sh {name}", name.replace(".sh", ""))
}

#[test]
fn what_is_wrong_is_said_with_what_was_expected() {
    let folder = Folder::new();
    for (line, engines, expected) in [
        ("-l depth:1", &["a=own"][..], "expected two engines or more"),
        (
            "-l depth:1",
            &["a=own", "a=own"],
            "expected each name once, found two engines named a",
        ),
        ("", &OWN[..], "expected a limit"),
        ("-l c=depth:1", &OWN[..], "expected one of the engines a, b"),
        ("-l deep:1", &OWN[..], "expected limits such as move:100ms"),
        (
            "-l depth:1 --games 0",
            &OWN[..],
            "expected an even number of games, at least 2",
        ),
        ("-l depth:1 --games 3", &OWN[..], "expected an even number"),
        ("-l depth:1", &["a=own:hash=99999999", "b=own"], "1..=65536"),
        (
            "-l depth:1 --sprt elo0=9",
            &OWN[..],
            "expected elo0 below elo1",
        ),
        ("-l depth:1 --openings no/such", &OWN[..], "no/such"),
        (
            "-l depth:1",
            &["a=own", "b=uci:x"],
            "expected one of gtp, nboard, sloan",
        ),
        (
            "-l a=depth:1 -l b=nodes:9",
            &["a=own", "b=gtp:x"],
            "the limit of b: gtp carries whole seconds",
        ),
        (
            "-l depth:1 -l depth:2",
            &OWN[..],
            "expected one limit for all engines, found 2",
        ),
        (
            "-l a=depth:1 -l a=depth:2",
            &OWN[..],
            "expected one limit for a, found 2",
        ),
        (
            "-l depth:1 --rounds 2",
            &OWN[..],
            "expected --games for pairs",
        ),
        (
            "-l depth:1 --form swiss --games 2",
            &OWN[..],
            "expected --rounds for a tournament",
        ),
        (
            "-l depth:1 --form gauntlet --sprt",
            &OWN[..],
            "expected --sprt with --form pairs only",
        ),
        (
            "-l depth:1 --match-cpu c=b",
            &OWN[..],
            "expected one of the engines a, b",
        ),
        (
            "-l depth:1 --match-cpu a=a",
            &OWN[..],
            "expected two engines in --match-cpu",
        ),
        (
            "-l depth:1 --match-cpu a=b",
            &OWN[..],
            "that --match-cpu can scale",
        ),
        (
            "-l a=nodes:9 --match-cpu b=a",
            &["a=own", "b=gtp:x"],
            "expected our own engine first",
        ),
        (
            "-l a=depth:1 --openings xot",
            &["a=own", "b=sloan:x"],
            "b cannot play from opening 1",
        ),
    ] {
        let output = play(&folder, line, engines);
        assert_ne!(output.code, Some(0), "{line}");
        let error = output.errors;
        assert!(error.contains(expected), "{line} {engines:?}: {error}");
    }
    assert!(!folder.path("match.jsonl").exists());
}
