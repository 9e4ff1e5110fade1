//! Placeholder until the player is wired.

fn main() {}
