//! Closed pipes.

use std::{error::Error, io};

/// Returns true if an error comes from a pipe whose reader is gone, as in `othello perft 9 | head -1`.
pub fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    let kind = error.downcast_ref().map(io::Error::kind);
    kind == Some(io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_errors_are_no_closed_pipe() {
        let is_closed = |kind: io::ErrorKind| is_closed_pipe(&io::Error::from(kind));
        assert!(is_closed(io::ErrorKind::BrokenPipe));
        assert!(!is_closed(io::ErrorKind::NotFound));
        assert!(!is_closed_pipe(&std::fmt::Error));
    }
}
