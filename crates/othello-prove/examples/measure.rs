//! Measures the size of proofs, and the times to solve, to prove and to check.
use std::{env, fs, io::Write as _};
fn cpu() -> std::time::Duration {
    let text = fs::read_to_string("/proc/self/schedstat").unwrap();
    std::time::Duration::from_nanos(text.split(' ').next().unwrap().parse().unwrap())
}
use othello_core::{Problem, Score};
use othello_prove::{Claim, prove};
use othello_search::{Limits, Options, Searcher, StopHandle};
fn main() {
    let args: Vec<String> = env::args().collect();
    let text = fs::read_to_string(&args[1]).unwrap();
    let problems = Problem::read_all(&text).unwrap();
    for n in args[2].split(',') {
        let problem = &problems[n.parse::<usize>().unwrap()];
        for t in args[3].split(',') {
            let mut searcher = Searcher::new(Options {
                hash_mib: 256,
                ..Options::default()
            });
            let began = cpu();
            let report = searcher.search(problem.board.position(), &Limits::default(), &mut |_| {});
            let solving = (cpu() - began);
            let score = report.score.to_score();
            let claim = Claim::exact(
                problem.board,
                Score::new(score.discs()).unwrap(),
                t.parse().unwrap(),
            );
            let began = cpu();
            let mut file = Vec::new();
            let progress = prove(
                &mut searcher,
                &claim,
                &StopHandle::new(),
                &mut file,
                &mut |_| {},
            )
            .unwrap();
            let proving = (cpu() - began);
            let began = cpu();
            let proved = othello_check::check(&file[..]).unwrap();
            let line = format!(
                "#{n} T={t} score {score} solve {solving:.2?} prove {proving:.2?} choices {} bytes {} check {:.2?} leaves {} nodes {}",
                progress.choices,
                file.len(),
                (cpu() - began),
                proved.leaves,
                proved.nodes
            );
            writeln!(std::io::stdout(), "{line}").unwrap();
        }
    }
}
