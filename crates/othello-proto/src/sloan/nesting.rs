//! Counting open parentheses.

/// The parentheses that are open at a place in an expression, with and without those in quoted strings.
///
/// The expression ends as soon as one of the counts is zero: of all parentheses, of those outside strings, or of those
/// outside strings if the last quotation mark is unpaired. So a parenthesis in a string, as in `(C "sad :(")`, does not
/// keep it open, and an unpaired quotation mark, as in `(C 5" wide)`, hides nothing. A string ends on the line on which
/// it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Nesting {
    /// All that are open.
    all: usize,
    /// Those outside of strings.
    unquoted: usize,
    /// The string at this place.
    string: Option<OpenString>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OpenString {
    /// [`Nesting::unquoted`], if the mark that opened the string has no partner.
    unquoted_if_unpaired: usize,
    /// True after a backslash.
    escaped: bool,
}

impl Nesting {
    /// The nesting after the parenthesis that opens an expression.
    pub(super) const OPENED: Self = Self {
        all: 1,
        unquoted: 1,
        string: None,
    };

    /// Returns the nesting after one more byte of an expression that is still open.
    pub(super) fn after(mut self, byte: u8) -> Self {
        self.all = deeper(byte, self.all);
        match &mut self.string {
            None if byte == b'"' => {
                self.string = Some(OpenString {
                    unquoted_if_unpaired: self.unquoted,
                    escaped: false,
                });
            }
            None => self.unquoted = deeper(byte, self.unquoted),
            Some(string) if byte == b'\n' => {
                self.unquoted = string.unquoted_if_unpaired;
                self.string = None;
            }
            Some(string) if byte == b'"' && !string.escaped => self.string = None,
            Some(string) => {
                string.unquoted_if_unpaired = deeper(byte, string.unquoted_if_unpaired);
                string.escaped = byte == b'\\' && !string.escaped;
            }
        }
        self
    }

    /// Returns `true` at the end of the expression.
    pub(super) fn is_closed(self) -> bool {
        let unquoted_if_unpaired = self.string.map(|string| string.unquoted_if_unpaired);
        self.all == 0 || self.unquoted == 0 || unquoted_if_unpaired == Some(0)
    }

    /// Returns the number of parentheses that are open, those in strings included.
    pub(super) const fn depth(self) -> usize {
        self.all
    }
}

/// Returns the depth after a byte.
const fn deeper(byte: u8, depth: usize) -> usize {
    match byte {
        b'(' => depth.saturating_add(1),
        b')' => depth.saturating_sub(1),
        _ => depth,
    }
}
