//! The last output of a program.

/// The maximum number of bytes kept of an answer.
const MAX_ANSWER: usize = 4096;

/// The output of a program after its last question, which may explain its fault.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastOutput {
    /// The bytes that it wrote after the last bytes that it was sent, up to its fault or the end of the game: at most
    /// the last 4,096.
    pub answer: Vec<u8>,
    /// The number of bytes that came when its input ended.
    pub flushed: u64,
    /// True if it used a processor for most of the time since an open question.
    pub is_busy: bool,
    /// True if the last process ended with success.
    pub ended_well: bool,
}

impl LastOutput {
    /// Appends bytes to the answer.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.answer.extend(bytes);
        let excess = self.answer.len().saturating_sub(MAX_ANSWER);
        self.answer.drain(..excess);
    }

    /// Returns the likely cause why a program that runs has not answered.
    pub fn silence(&self) -> String {
        let Self {
            answer,
            flushed,
            is_busy,
            ..
        } = self;
        let cause = match answer.last() {
            None if *flushed > 0 => {
                return format!(
                    "nothing arrived in time, and {flushed} bytes came when its input ended: flush standard output after each line"
                );
            }
            None if *is_busy => "it was still computing: it thinks too long, or for ever",
            None => {
                "nothing arrived: it waits for more input, sleeps, does not flush its output, or did not understand what it was sent"
            }
            Some(b'\n') => {
                "it wrote something, but no answer: write debugging text to standard error"
            }
            Some(_) => "its answer has no newline at the end",
        };
        cause.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_flush_explains_more_than_computing() {
        let mut output = LastOutput {
            is_busy: true,
            ..LastOutput::default()
        };
        assert!(output.silence().starts_with("it was still computing"));
        output.flushed = 3;
        assert!(output.silence().contains("flush standard output"));
    }
}
