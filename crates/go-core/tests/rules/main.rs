//! Comparison of the fast board and the rules with a plain board and with published counts.

mod board;
mod oracle;
mod perft;
mod positions;
mod superko;
