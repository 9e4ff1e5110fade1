//! The fast board and the rules, compared with a plain board and with published counts.

mod board;
mod captures;
mod oracle;
mod perft;
mod positions;
mod superko;
