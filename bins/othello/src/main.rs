//! Placeholder until the tool is wired.

fn main() {}
