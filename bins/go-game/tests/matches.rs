//! Matches of the tool, between scripts.
#![cfg(unix)]

use std::{
    fs,
    path::PathBuf,
    process::{Command, Output, Stdio},
};

use tempfile::TempDir;

/// A folder with a log, and the matches played in it.
struct Room(TempDir);

impl Room {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Returns the command of a match with the words of `line` on a board of 5x5.
    fn command(&self, line: &str, engines: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_go-game"));
        command.current_dir(&self.0);
        command.args(["match", "--size", "5", "--playouts", "100"]);
        for engine in engines {
            command.args(["-e", engine]);
        }
        command.args(line.split_whitespace());
        command
    }

    fn play(&self, line: &str, engines: &[&str]) -> Output {
        self.command(line, engines).output().unwrap()
    }

    /// Plays a match that must succeed, and returns what it printed.
    fn check(&self, line: &str, engines: &[&str]) -> String {
        let output = self.play(line, engines);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    }

    fn games(&self) -> Vec<String> {
        let log = fs::read_to_string(self.file("match.jsonl")).unwrap_or_default();
        let games = log.lines().filter(|line| line.contains("\"moves\""));
        games.map(str::to_owned).collect()
    }

    /// Writes a program that speaks GTP, answers `genmove` with the given text, appends its first argument to `seeds`,
    /// and writes the rules that it is told to `rules` and refuses them.
    fn gtp(&self, name: &str, genmove: &str) -> String {
        let script = format!(
            "echo \"$1\" >> seeds\nwhile read -r line; do case \"$line\" in\n\
             list_commands) printf '= boardsize\\nclear_board\\nkomi\\nplay\\ngenmove\\n';\n\
             printf 'fixed_handicap\\nkata-set-rules\\n\\n';;\n\
             kata-set-rules*) echo \"$line\" > rules; printf '? no\\n\\n';;\n\
             genmove*) printf '= {genmove}\\n\\n';;\nquit) printf '=\\n\\n'; exit;;\n\
             *) printf '=\\n\\n';; esac; done\n"
        );
        fs::write(self.file(name), script).unwrap();
        format!("{name}=gtp:sh {name}")
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_match_is_played_judged_kept_and_extended() {
    let room = Room::new();
    let (a, b) = (room.gtp("a", "pass"), room.gtp("b", "pass"));
    let line = "--openings random:3 --sgf games --games";
    let report = room.check(&format!("{line} 4"), &[&a, &b]);
    assert!(report.contains("complete: 4 games"), "{report}");
    assert!(
        report.contains("4 games on record, 4 different"),
        "{report}"
    );
    let played = room.games();
    let report = room.check(&format!("{line} 6"), &[&a, &b]);
    assert!(report.contains("complete: 6 games"), "{report}");
    assert_eq!(room.games()[..4], played);
    assert_eq!(room.games().len(), 6);
    let sgf = fs::read_to_string(room.file("games/0001-1-a-2-b.sgf")).unwrap();
    for part in ["SZ[5]KM[5.5]RU[Japanese]PB[a]PW[b]", "RE[", ";W[];B[]"] {
        assert!(sgf.contains(part), "{part}: {sgf}");
    }
    assert_eq!(fs::read_dir(room.file("games")).unwrap().count(), 6);
}

#[test]
fn the_games_are_written_although_nobody_reads_the_report() {
    let room = Room::new();
    let (a, b) = (room.gtp("a", "pass"), room.gtp("b", "pass"));
    let mut command = room.command("--openings empty --games 2 --sgf games", &[&a, &b]);
    let command = command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut playing = command.spawn().unwrap();
    drop(playing.stdout.take());
    assert_eq!(playing.wait().unwrap().code(), Some(1));
    assert_eq!(fs::read_dir(room.file("games")).unwrap().count(), 2);
}

#[test]
fn games_of_names_that_look_alike_are_all_written() {
    let room = Room::new();
    let same = room.gtp("b", "pass").replace("b=", "");
    let engines = ["a/b", "a_b", "a b"].map(|name| format!("{}={same}", name.replace(' ', ":")));
    let engines = engines.each_ref().map(String::as_str);
    room.check(
        "--openings empty --form double-round-robin --sgf games",
        &engines,
    );
    assert_eq!(fs::read_dir(room.file("games")).unwrap().count(), 6);
}

#[test]
fn programs_that_take_a_seed_get_another_for_each_game() {
    let room = Room::new();
    let seeded = ["a", "b"].map(|name| room.gtp(name, "pass") + " {seed}");
    let engines = seeded.each_ref().map(String::as_str);
    room.check("--openings empty --games 6", &engines);
    let seeds = fs::read_to_string(room.file("seeds")).unwrap();
    let mut seeds: Vec<&str> = seeds.lines().collect();
    // Each is tried first, with the seed 0.
    assert_eq!(seeds.len(), 2 + 2 * 6);
    assert!(
        seeds.iter().all(|seed| seed.parse::<u32>().is_ok()),
        "{seeds:?}"
    );
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 1 + 6, "{seeds:?}");
    assert!(room.games()[0].contains("\"moves\":\"pass pass\""));
}

#[test]
fn engines_of_both_formats_come_from_a_file() {
    let room = Room::new();
    room.gtp("b", "resign");
    let file = "
        [[engine]]
        name = 'passes'
        protocol = 'usenix'
        command = \"sh -c 'read c; [ $c = white ] && read m; echo pass; read m; echo pass; read m'\"
        limit = 'game:60s,byo-yomi:10s,user-cpu'
        [[engine]]
        name = 'resigns'
        protocol = 'gtp'
        command = 'sh b'
        limit = 'move:10s'";
    fs::write(room.file("engines.toml"), file).unwrap();
    let line = "--engines engines.toml --openings empty --games 2 --sgf games";
    let report = room.check(line, &[]);
    let row = report.lines().rfind(|row| row.starts_with("resigns"));
    assert!(
        row.is_some_and(|row| row.ends_with("2 resigned")),
        "{report}"
    );
    assert!(
        report.contains("1 min a game, then 10 s, user CPU"),
        "{report}"
    );
    assert!(!report.contains("decided by faults"), "{report}");
    let sgf = fs::read_to_string(room.file("games/0001-2-resigns-1-passes.sgf")).unwrap();
    assert!(sgf.contains("RE[W+R]"), "{sgf}");
}

#[test]
fn a_handicap_and_rules_reach_the_games() {
    let room = Room::new();
    let (a, b) = (room.gtp("a", "pass"), room.gtp("b", "pass"));
    let line = "--size 9 --handicap 2 --komi 0.5 --rules chinese --openings empty --games 2";
    let output = room.play(&line.replace("--size 9 ", ""), &[&a, &b]);
    assert!(
        text(&output.stderr).contains("--handicap 2"),
        "{}",
        text(&output.stderr)
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_go-game"));
    command
        .current_dir(&room.0)
        .args(["match", "-e", &a, "-e", &b]);
    let output = command.args(line.split_whitespace()).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let setup = "9x9 komi 0.5 rules chinese black C3 G7 first white";
    assert!(room.games()[0].contains(setup), "{}", room.games()[0]);
    let told = fs::read_to_string(room.file("rules")).unwrap();
    assert_eq!(told, "kata-set-rules chinese-kgs\n");
}

#[test]
fn what_is_wrong_is_said_once() {
    let room = Room::new();
    let both = &["a=gtp:true", "b=gtp:true"][..];
    fs::write(room.file("openings"), "B E5, W E5\n").unwrap();
    let file = "[[engine]]\nname = 'a'\nprotocol = 'gtp'\ncommand = \"'\"\n";
    fs::write(room.file("engines.toml"), file).unwrap();
    fs::write(
        room.file("unnamed.toml"),
        "[[engine]]\nname = 'a'\nprotocol = 'x'\ncommand = 'x'\n",
    )
    .unwrap();
    fs::write(room.file("other.jsonl"), "{}\n").unwrap();
    for (line, engines, expected) in [
        ("--openings openings", both, "illegal move E5"),
        ("--engines engines.toml", &[][..], "quot"),
        ("--engines unnamed.toml", &[], "gtp or usenix"),
        ("--engines no/such", &[], "No such file"),
        ("--openings no/such", both, "No such file"),
        ("--openings empty --log other.jsonl", both, "other.jsonl"),
    ] {
        let output = room.play(line, engines);
        assert!(!output.status.success(), "{line}");
        let error = text(&output.stderr);
        assert_eq!(error.matches(expected).count(), 1, "{line}: {error}");
    }
}

#[test]
fn what_is_wrong_is_said_with_what_was_expected() {
    let room = Room::new();
    let both = &["a=gtp:true", "b=gtp:true"][..];
    let engine = |name: &str| {
        let keys = "protocol = 'usenix'\ncommand = 'x'\nsetup = ['level 1']\n";
        format!("[[engine]]\nname = '{name}'\n{keys}")
    };
    fs::write(room.file("setup.toml"), engine("a") + &engine("b")).unwrap();
    for (line, engines, expected) in [
        ("", &["a=gtp:true"][..], "expected two engines or more"),
        ("--engines setup.toml", &[], "expected no key `setup` of a"),
        ("--match-cpu a=b", both, "unexpected argument '--match-cpu'"),
        ("", &["gtp:x"], "such as a=gtp:'program --gtp'"),
        ("", &["a=own", "b=gtp:x"], "gtp or usenix, found \"own\""),
        ("-l depth:3", both, "gtp carries whole seconds"),
        ("-l byo-yomi:3s", both, "expected limits such as"),
        ("--openings random:99", both, "expected empty, random:MOVES"),
        ("--openings no/such", both, "no/such"),
        (
            "",
            &["a=usenix:x", "b=gtp:x"],
            "a cannot play from the openings",
        ),
        ("--rules korean", both, "expected japanese"),
        (
            "",
            &["a=gtp:/no/such", "b=gtp:x"],
            "a=gtp:/no/such did not start",
        ),
    ] {
        let output = room.play(line, engines);
        assert!(!output.status.success(), "{line}");
        let error = text(&output.stderr);
        assert!(error.contains(expected), "{line} {engines:?}: {error}");
    }
    assert!(room.games().is_empty());
}
