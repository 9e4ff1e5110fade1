//! The first example of the README.

use crate::support::Folder;

#[test]
fn the_first_example_is_what_the_tool_prints() {
    let readme = include_str!("../../../../README.md");
    let (_, example) = readme
        .split_once("```console\n$ othello ")
        .expect("an example");
    let (command, rest) = example.split_once('\n').expect("a line");
    let (expected, _) = rest.split_once("```").expect("an end");
    // Enough time for a machine that has other things to do.
    let printed = Folder::new().printed(&format!("{command} --time 5m"));
    // The time that it takes is the machine's.
    let without_time = |text: &str| text.rsplit_once(" in ").map(|it| it.0.to_owned());
    assert_eq!(without_time(&printed), without_time(expected));
    assert!(without_time(expected).is_some());
}
