//! Players' sessions driven over connections of every manner.

mod deadlines;
mod drive;
mod log;
mod thinking;
mod toy;
