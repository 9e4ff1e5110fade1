//! Players' sessions driven over all kinds of connections.

mod deadlines;
mod drive;
mod log;
mod thinking;
mod toy;
