//! A tournament from its file to its exports.

use std::{collections::BTreeSet, fs};

use crate::support::{Folder, await_while, player, signal};

/// A tournament of five, of which one cannot be started, one comes late and one misses a round.
fn describe(folder: &Folder, form: &str) {
    let table = |name: &str, command: &str, more: &str| {
        format!("[[program]]\nname = '{name}'\ncommand = '''{command}'''\n{more}\n")
    };
    let ours = player("codewarriors");
    let programs = [
        table("ann", &ours, "author = 'Ann & Co'"),
        table("bob", &ours, ""),
        table("carl", "./missing", ""),
        table("dora", &ours, "from_round = 2"),
        table("eve", &ours, "absent = [2]"),
    ];
    let head =
        format!("title = 'Spring <1>'\nprotocol = 'codewarriors'\nlimit = 'move:5s'\n{form}\n");
    fs::create_dir_all(folder.path("t")).expect("a folder");
    folder.write("t/tournament.toml", head + &programs.concat());
}

#[test]
fn the_template_describes_a_tournament() {
    let folder = Folder::new();
    folder.printed("tournament new init");
    let shown = folder.printed("tournament new pairings");
    assert!(shown.contains("ann (black) – bob"), "{shown}");
    let errors = folder.refused("tournament new init");
    assert!(
        errors.contains("expected no tournament there yet"),
        "{errors}"
    );
}

#[test]
fn a_tournament_that_is_killed_loses_no_game_and_plays_none_twice() {
    let folder = Folder::new();
    describe(&folder, "form = 'swiss'\nrounds = 3");
    let log = folder.path("t/games.jsonl");
    let games = || fs::read_to_string(&log).map_or(0, |text| text.matches(",\"game\":{").count());
    let before = folder.printed("tournament t pairings");
    assert!(
        before.contains("round 1") && before.contains("dora enters in round 2"),
        "{before}"
    );
    for _ in 0..2 {
        let before = games();
        let mut playing = folder.start("tournament t play --all");
        await_while(&mut playing, || games() > before);
        signal("KILL", playing.id());
        playing.wait().expect("the end");
    }
    let all = folder.printed("tournament t play --all");
    assert!(all.contains("the tournament is over"), "{all}");
    assert_eq!(
        folder.printed("tournament t play"),
        "the tournament is over\n"
    );
    // Four are there for each of the first two rounds, five for the third.
    assert_eq!(games(), 6);
    assert_eq!(
        folder.printed("tournament t pairings"),
        "the tournament is over\n"
    );
    let second = folder.printed("tournament t pairings --round 2");
    assert!(second.contains("eve is absent"), "{second}");

    // A forfeit counts 64 discs.
    let standings = folder.printed("tournament t standings");
    let carl = standings.lines().find(|line| line.contains(" carl "));
    let columns: Vec<&str> = carl.expect("a row").split_whitespace().collect();
    let number = |column: &str| column.parse::<i32>().expect("a number");
    let (forfeits, discs) = (number(columns[6]), number(columns[columns.len() - 1]));
    assert!(forfeits > 0 && discs == -64 * forfeits, "{standings}");

    let errors = folder.refused("tournament t adjudicate 9 draw --reason x --by y");
    assert!(errors.contains("1 to 6, found 9"), "{errors}");
    let line = folder.printed("tournament t adjudicate 1 40-24 --reason 'power cut' --by Eva");
    assert!(
        line.contains("40-24*\n") && line.contains("decided by Eva: power cut"),
        "{line}"
    );
    let standings = folder.printed("tournament t standings");
    assert!(standings.contains("round 3: 6 of 6 games"), "{standings}");
    assert!(
        standings.lines().all(|line| line.chars().count() <= 80),
        "{standings}"
    );
    assert!(
        standings.contains("decided by Eva: power cut"),
        "{standings}"
    );

    folder.printed("tournament t adjudicate 1 black --reason 'power cut' --by Eva");
    let pgn = folder.printed("tournament t export pgn");
    assert!(pgn.contains("[Termination \"adjudication\"]"), "{pgn}");

    let again = folder.printed("tournament t play --game 1 --reason 'no cut' --by Eva");
    assert!(
        again.contains("to be played again, decided by Eva: no cut"),
        "{again}"
    );
    let csv = folder.printed("tournament t export csv");
    let numbers: BTreeSet<_> = csv.lines().skip(1).map(|line| &line[..2]).collect();
    assert_eq!((csv.lines().count(), numbers.len()), (7, 6), "{csv}");
    assert!(
        csv.contains("did not start") && csv.contains("64-0*"),
        "{csv}"
    );
    let pgn = folder.printed("tournament t export pgn");
    assert_eq!(pgn.matches("[Event \"Spring <1>\"]").count(), 6, "{pgn}");
    assert_eq!(pgn.matches("[Round \"2\"]").count(), 2, "{pgn}");
    // Carl's games have no moves.
    let transcripts = folder.run("tournament t export transcript --output games.txt");
    assert_eq!(transcripts.code, Some(1), "{}", transcripts.errors);
    let errors = folder.refused("tournament t export transcript --output t/games.jsonl");
    assert!(errors.contains("or one that begins with"), "{errors}");
    let page = folder.printed("tournament t export html");
    assert!(page.contains("\"title\":\"Spring \\u003c1\\u003e\"") && !page.contains("<1>"));
    assert_eq!(page.matches("\"transcript\":").count(), 6);
}

#[test]
fn a_program_withdraws_while_all_is_played_and_its_game_is_played_again_once() {
    let folder = Folder::new();
    let ours = player("codewarriors");
    let text = format!(
        "title = 't'\nform = 'swiss'\nrounds = 2\nprotocol = 'codewarriors'\nlimit = 'move:5s'\n\
         [[program]]\nname = 'ann'\ncommand = '''{ours}'''\n\
         [[program]]\nname = 'carl'\ncommand = '''{ours}'''\n\
         [[program]]\nname = 'bob'\nseed = 1\ncommand = '''sh -c \"\
         mkdir withdrawn && echo withdrawn_after = 1 >> tournament.toml; \
         while test -e hang; do sleep 0.1; done; exec {ours}\"'''\n"
    );
    fs::create_dir_all(folder.path("t")).expect("a folder");
    folder.write("t/tournament.toml", text);
    let all = folder.printed("tournament t play --all");
    assert!(
        all.contains("bob has withdrawn") && all.contains("ann (black) – carl"),
        "{all}"
    );

    let log = || fs::read_to_string(folder.path("t/games.jsonl")).expect("a log");
    let again = "tournament t play --game 1 --reason cut --by Eva";
    folder.write("t/hang", "");
    let mut playing = folder.start(again);
    await_while(&mut playing, || log().contains("\"ruling\":{"));
    signal("KILL", playing.id());
    playing.wait().expect("the end");
    fs::remove_file(folder.path("t/hang")).expect("a file");
    folder.printed(again);
    let count = |kind: &str| log().matches(kind).count();
    assert_eq!((count("\"ruling\":{"), count(",\"game\":{")), (1, 3));
}

#[test]
fn late_entries_and_withdrawals_change_the_file() {
    let folder = Folder::new();
    describe(&folder, "form = 'round-robin'");
    let printed = folder.printed("tournament t add fay --command './fay \"x\"' --author 'Fay é'");
    assert_eq!(printed, "fay enters in round 1\n");
    let printed = folder.printed("tournament t withdraw bob");
    assert_eq!(printed, "bob withdraws after round 0\n");
    let shown = folder.printed("tournament t pairings");
    assert!(
        shown.contains("fay") && shown.contains("bob has withdrawn"),
        "{shown}"
    );
    folder.check_refusals(&[
        (
            "tournament t add fay --command x",
            1,
            "expected a name that is free, found fay",
        ),
        (
            "tournament t add 'f y' --command x",
            1,
            "without `=`, white space",
        ),
        (
            "tournament t withdraw zoe",
            1,
            "expected one of the programs ann, bob, carl",
        ),
        (
            "tournament t withdraw bob",
            1,
            "tournament.toml as it would be",
        ),
        (
            "tournament t pairings --round 3",
            1,
            "expected a round up to 1",
        ),
        (
            "tournament t adjudicate 1 draw --reason x --by y",
            1,
            "found no round yet",
        ),
        (
            "tournament t adjudicate 1 41-24 --reason x --by y",
            2,
            "64 discs such as 40-24",
        ),
        ("tournament t play --game 1", 2, "--reason"),
        (
            "tournament nowhere standings",
            1,
            "cannot read nowhere/tournament.toml",
        ),
        ("tournament t export xyz", 2, "expected"),
        ("tournament t export wthor", 1, "expected a text format"),
        (
            "tournament t export pgn --output t/tournament.toml",
            1,
            "expected a game to write as PGN",
        ),
    ]);
    // Commands that failed before the first round fix nothing.
    describe(&folder, "form = 'swiss'\nseed = 5");
    let shown = folder.printed("tournament t pairings");
    assert!(shown.contains("round 1"), "{shown}");
    let errors = folder.refused("tournament t add zoe --command x --from-round 4");
    assert!(errors.contains("expected a round up to 3"), "{errors}");
}

#[test]
fn what_is_wrong_in_the_file_is_said() {
    let folder = Folder::new();
    for (form, expected) in [
        ("", "missing field `form`"),
        ("form = 'swis'", "unknown variant `swis`"),
        ("form = 'swiss'\nround = 3", "unknown field `round`"),
        ("form = 'swiss'\nrounds = 0", "1 to 1000, found 0"),
        (
            "form = 'knock-out'\nrounds = 3",
            "no key `rounds` for a knock-out",
        ),
        (
            "form = 'swiss'\ntie_breaks = ['discs', 'luck']",
            "found \"luck\"",
        ),
        ("form = 'swiss'\nforfeit_score = 'bord'", "or board"),
        ("form = 'swiss'\nopenings = 'xot'", "cannot play from"),
        (
            "form = 'swiss'\nopenings = 'none.txt'",
            "cannot read the openings in t/none.txt",
        ),
        ("form = 'swiss'\ntolerance = 'x'", "tournament.toml"),
        (
            "form = 'swiss'\nlimits = { memory = '5' }",
            "expected a size",
        ),
        (
            "form = 'swiss'\nlimits = { ram = '5M' }",
            "unknown field `ram`",
        ),
        (
            "form = 'swiss'\nsecrets = { ann = 'x' }",
            "but for a ladder",
        ),
    ] {
        describe(&folder, form);
        let errors = folder.refused("tournament t pairings");
        assert!(errors.contains(expected), "{form}: {errors}");
    }
}

/// Makes a ladder with time for a busy machine. Its programs see all files: the one under test may be in `/tmp`.
#[cfg(unix)]
fn ladder(folder: &Folder) {
    folder.printed("ladder l init");
    let mut text = folder.read("l/tournament.toml");
    for (from, to) in [
        ("move:1s", "move:5s"),
        ("read_only = true", "read_only = false"),
    ] {
        assert!(text.contains(from), "{text}");
        text = text.replace(from, to);
    }
    folder.write("l/tournament.toml", text);
}

/// A program of a ladder, as a shell script.
#[cfg(unix)]
fn script(folder: &Folder, name: &str, text: &str) {
    use std::os::unix::fs::PermissionsExt as _;

    let path = folder.path(&format!("l/programs/{name}"));
    fs::create_dir_all(&path).expect("a folder");
    let run = path.join("run");
    fs::write(&run, format!("#!/bin/sh\n{text}\n")).expect("a file");
    fs::set_permissions(&run, fs::Permissions::from_mode(0o755)).expect("permissions");
}

#[cfg(unix)]
#[test]
fn a_ladder_with_two_games_at_once_loses_and_repeats_none_where_it_was_killed() {
    let folder = Folder::new();
    ladder(&folder);
    for name in ["ann", "bob", "cid"] {
        let ours = player("codewarriors");
        script(&folder, name, &format!("exec {ours} --depth 2"));
    }
    let log = || fs::read_to_string(folder.path("l/games.jsonl")).unwrap_or_default();
    let ids = || {
        let log = log();
        let games = log
            .lines()
            .filter_map(|line| line.split_once("\"game\":{\"id\":"));
        let ids = games.filter_map(|(_, game)| Some(game.split_once('}')?.0.to_owned()));
        ids.collect::<Vec<_>>()
    };
    let mut playing = folder.start("ladder l --concurrency 2");
    await_while(&mut playing, || ids().len() > 1);
    signal("KILL", playing.id());
    playing.wait().expect("the end");
    let before = log();
    let before = &before[..=before.rfind('\n').expect("a line")];
    let wanted = (ids().len() + 2).next_multiple_of(2);
    folder.printed(&format!("ladder l --concurrency 2 --games {wanted}"));
    assert!(log().starts_with(before), "{before}");
    let mut ids = ids();
    assert!(ids.len() >= wanted, "{ids:?}");
    let found = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), found, "{ids:?}");
}

#[cfg(unix)]
#[test]
fn a_ladder_checks_versions_and_goes_on_where_it_was_killed() {
    let folder = Folder::new();
    ladder(&folder);
    let ours = player("codewarriors");
    script(&folder, "ann", &format!("echo hello >&2; exec {ours}"));
    script(&folder, "bad", "echo D3");
    std::os::unix::fs::symlink("/", folder.path("l/programs/bad/link")).expect("a link");

    let log = || fs::read_to_string(folder.path("l/games.jsonl")).unwrap_or_default();
    let games = || log().matches(",\"game\":{").count();
    let mut playing = folder.start("ladder l");
    await_while(&mut playing, || games() > 0);
    signal("KILL", playing.id());
    playing.wait().expect("the end");
    let (before, count) = (log(), games().next_multiple_of(2));
    let before = &before[..=before.rfind('\n').expect("a line")];
    let report = |name: &str| {
        fs::read_to_string(folder.path(&format!("l/versions/{name}/check.txt"))).expect("a report")
    };
    assert!(report("ann").contains("✓ black"), "{}", report("ann"));
    assert!(report("bad").contains("found a link"), "{}", report("bad"));
    let errors = fs::read_to_string(folder.path("l/versions/ann/stderr.txt")).expect("a file");
    assert!(
        errors.starts_with("--- check of ann@1\n") && errors.contains("hello\n"),
        "{errors}"
    );

    // A faulty version does not displace the one before; a good one does.
    script(&folder, "ann", "echo D3");
    let told = folder.printed(&format!("ladder l --games {}", count + 2));
    assert!(told.contains("ann: a new version has faults"), "{told}");
    assert!(report("ann").contains("✗ black"), "{}", report("ann"));
    script(&folder, "ann", &format!("exec {ours} # new"));
    let last = format!("ladder l --games {}", count + 4);
    let told = folder.printed(&last);
    assert!(
        told.contains("ann: version 2 enters") && told.contains("ann@2") && !told.contains("ann@1"),
        "{told}"
    );
    assert_eq!(games(), count + 4);
    assert!(log().starts_with(before), "{before}");
    let errors = folder.read("l/versions/ann/stderr.txt");
    let is_heading = |line: &str| line.starts_with("--- game ") && line.contains(" against ");
    assert!(errors.lines().any(is_heading), "{errors}");
    assert_eq!(folder.printed(&last), "");
    let standings = folder.printed("ladder l standings");
    for name in ["ann@1", "ann@2", "beginner", "club"] {
        assert!(standings.contains(name), "{standings}");
    }
    folder.check_refusals(&[
        (
            "ladder l --until tomorrow",
            2,
            "such as 2026-12-24T18:00:00Z",
        ),
        ("ladder nowhere", 1, "cannot read nowhere/tournament.toml"),
    ]);
}
