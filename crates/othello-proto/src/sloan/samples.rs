//! The document's sample sessions. Tests only.

use super::{Dialect, Framer, MAX_DEPTH, MAX_LENGTH, Message};
use crate::framing::Framing as _;
use core::iter;
use std::{string::ToString, vec::Vec};

/// Every line of both samples in section 6, as the document prints them without its commentary.
const LINES: [&str; 18] = [
    ">>>(I B)",
    "(R B)",
    ">>>(W)",
    "(C (First move is forced eh?))",
    "(B d 3)",
    ">>>(C (wow! what a surprise!))",
    ">>>(C (the diagonal opening)) (W c 3)",
    "(C (oops...)) (B c 4)",
    ">>>(C (I see what you mean!)) (W c 5)",
    "(B a 1)",
    ">>>(C (impossible!))(-64)",
    "(C (Director!)) (64)",
    ">>>(W a 1)",
    "(B)",
    ">>>(W a 8)",
    "(B)",
    ">>>(-43)",
    "(-43)",
];

#[test]
fn every_line_of_the_samples_parses() {
    for line in LINES {
        let line = line.trim_start_matches(">>>");
        let mut framer = Framer::default();
        framer.push(line.as_bytes());
        framer.finish();
        let printed: Vec<_> = iter::from_fn(|| framer.next_piece())
            .map(|frame| frame.parse().unwrap())
            .inspect(|parsed| assert_eq!(parsed.leniencies.names().next(), None, "{line}"))
            .map(|parsed| parsed.message.to_string())
            .collect();
        // The samples' own comments use the points that rule 4 warns of.
        let canonical = line.replace(")(", ") (").replace("oops...", "oops");
        assert_eq!(printed.join(" "), canonical);
    }
}

#[test]
fn every_form_of_rules_2_and_3_prints_as_in_the_document() {
    for text in [
        "(I W)", "(I B)", "(R W)", "(R B)", "(W c 3)", "(B h 8)", "(W)", "(B)", "(0)", "(64)",
        "(-43)", "(C (s))", "(C ())", "(play)",
    ] {
        let parsed = super::parse_expression(text.as_bytes()).unwrap();
        assert_eq!(parsed.message.to_string(), text);
        let line = super::print(&parsed.message, Dialect::Lines);
        let again = super::parse_line(line.as_bytes()).unwrap();
        assert_eq!(again.message, parsed.message);
    }
    assert_eq!(Message::Play.to_string(), "(play)");
}

#[test]
fn the_caps_are_what_the_errors_say() {
    assert_eq!((MAX_LENGTH, MAX_DEPTH), (4096, 32));
}
