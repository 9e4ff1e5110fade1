//! Analyzes games of a file of records and prints the time of each, its zigzag, and any contradiction.
//!
//! `cargo run --release -p othello-analysis --example games -- FILE [FIRST [COUNT [DEPTH [EXACT_FROM [THREADS]]]]]`

use std::{env, error::Error, fs::File, io::BufReader, num::NonZeroUsize, time::Instant};

use othello_analysis::{Analysis, Search, Settings};
use othello_records::Format;
use othello_search::{Options, Searcher};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let path = arguments.next().ok_or("expected a file of records")?;
    let mut number = |default: usize| {
        arguments
            .next()
            .map_or(Ok(default), |text| text.parse::<usize>())
    };
    let (first, count) = (number(1)?, number(20)?);
    let defaults = Settings::default();
    let settings = Settings {
        depth: number(defaults.depth as usize)? as u32,
        exact_from: number(defaults.exact_from as usize)? as u32,
    };
    let threads = NonZeroUsize::new(number(1)?).ok_or("expected at least one thread")?;
    let mut searcher = Searcher::new(Options {
        hash_mib: 64,
        threads,
        ..Options::default()
    });
    let records = Format::Wthor.read(BufReader::new(File::open(path)?));
    for (record, number) in records.zip(1..).skip(first - 1).take(count) {
        let game = record?.game;
        searcher.clear();
        let mut analysis = Analysis::new(&game);
        let begun = Instant::now();
        let mut exact = None;
        let mut at = begun;
        let mut slow = String::new();
        analysis.deepen(
            &settings,
            &mut Search::new(&mut searcher),
            None,
            &mut |analysis: &Analysis| {
                let left = analysis.next_job(&settings);
                let e = left.map_or(0, |job| job.request.position.empties().count());
                slow += &format!("{}:{:.2} ", e + 1, at.elapsed().as_secs_f64());
                at = Instant::now();
                if e > settings.exact_from && exact.is_none() {
                    exact = Some(begun.elapsed());
                }
            },
        );
        println!(
            "{number}: {:.2?} exact, {:.2?} in all; {slow}",
            exact.unwrap_or_default(),
            begun.elapsed()
        );
    }
    Ok(())
}
