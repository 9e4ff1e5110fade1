//! Measures the page in the browser: how soon it is ready, how soon a value follows a click, and how long its updates
//! keep the main thread busy.

use browser::{Browser, Page, Server};
use serde_json::Value;

const RUNS: usize = 10;

/// A game whose positions are shown one after the other.
const GAME: &str =
    "f5d6c4f3c7e6d3d2f4e3f6g3c5c6c3g5b6b5b3f7b4e7g4d7c2a6a5a4a3a2b7e2h6h3h4d1b1c1e1f1g1f2g6h5h2g7";

/// Resolves to the milliseconds from the next click until a frame that shows a value of another position.
const FIRST_VALUE: &str =
    "window.firstValue = new Promise((resolve) => addEventListener('click', ({ timeStamp }) => {
    const caption = document.querySelector('#caption').textContent;
    const look = (now) => {
      const isShown = document.querySelector('#caption').textContent !== caption
        && document.querySelector('#board .value');
      if (isShown) resolve(performance.now() - timeStamp);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, { once: true })), null";

fn main() -> anyhow::Result<()> {
    let server = Server::start()?;
    let browser = Browser::start()?;
    let address = server.address();
    let mut ready = Vec::new();
    for _ in 0..RUNS {
        let mut page = browser.page(1280, 800)?;
        page.open(&format!("{address}/"))?;
        ready.push(page.eval("performance.getEntriesByName('ready')[0].startTime")?);
    }
    print("ready, nothing cached, ms", numbers(&ready));

    let mut page = browser.page(1280, 800)?;
    page.open(&format!("{address}/#analyze"))?;
    page.wait("document.querySelector('#board .value')")?;
    let mut values = Vec::new();
    for _ in 0..RUNS {
        page.eval(FIRST_VALUE)?;
        page.click("#board .legal")?;
        values.push(page.eval("window.firstValue")?);
    }
    print("first value after a click, ms", numbers(&values));

    let mut page = browser.page(1280, 800)?;
    page.open(&format!("{address}/#moves={GAME}"))?;
    page.wait("document.querySelector('#board .value')")?;
    let trace = page.trace(step_through)?;
    report_tasks("steps through a game", &trace);
    let trace = page.trace(review)?;
    report_tasks("analysis of a game", &trace);
    Ok(())
}

/// Steps through the game while each position is searched.
fn step_through(page: &mut Page) -> anyhow::Result<()> {
    for ply in 1..=20 {
        page.press("ArrowRight")?;
        page.wait(&format!(
            "document.querySelector('#caption').textContent.startsWith('After move {ply}:') && document.querySelector('#board .value')"
        ))?;
        page.eval("new Promise((resolve) => setTimeout(resolve, 300))")?;
    }
    Ok(())
}

/// Analyzes the game.
fn review(page: &mut Page) -> anyhow::Result<()> {
    page.click("#review-start")?;
    page.wait(
        "document.querySelector('#worst button') && document.querySelector('#review-stop').hidden",
    )?;
    Ok(())
}

fn numbers(values: &[Value]) -> Vec<f64> {
    values.iter().filter_map(Value::as_f64).collect()
}

fn print(name: &str, mut values: Vec<f64>) {
    values.sort_by(f64::total_cmp);
    let (first, middle, last) = (
        values[0],
        values[values.len() / 2],
        values[values.len() - 1],
    );
    println!(
        "{name}: shortest {first:.0}, median {middle:.0}, longest {last:.0}, {} runs",
        values.len()
    );
}

/// Prints the tasks of the page's main thread, by the time that they took and by their CPU time.
fn report_tasks(name: &str, trace: &[Value]) {
    let mains: Vec<(&Value, &Value)> = trace
        .iter()
        .filter(|event| event["args"]["name"] == "CrRendererMain")
        .map(|event| (&event["pid"], &event["tid"]))
        .collect();
    let tasks: Vec<&Value> = trace
        .iter()
        .filter(|event| {
            event["name"] == "ThreadControllerImpl::RunTask" || event["name"] == "RunTask"
        })
        .filter(|event| mains.contains(&(&event["pid"], &event["tid"])))
        .collect();
    for (kind, field) in [("time", "dur"), ("CPU time", "tdur")] {
        let milliseconds = tasks
            .iter()
            .filter_map(|task| task[field].as_f64())
            .map(|us| us / 1000.0);
        let longest = milliseconds.clone().fold(0.0, f64::max);
        let long = milliseconds.clone().filter(|&time| time > 16.0).count();
        println!(
            "{name}, {kind} of a task: longest {longest:.1} ms, {long} of {} over 16 ms",
            milliseconds.count()
        );
    }
}
