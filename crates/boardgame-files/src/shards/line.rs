//! Lines with running checksums.

/// The beginning of the last line of a complete part.
pub(crate) const END: &str = "end ";
/// The maximum length of a line in bytes, with its newline.
pub(crate) const MAX_LINE: u64 = 16 * crate::MIB;
/// The number of hexadecimal digits of a checksum.
const DIGITS: usize = 8;

/// Returns the length of a line with its checksum and newline in bytes.
pub(crate) const fn line_length(text: &str) -> u64 {
    (DIGITS + 1 + text.len() + 1) as u64
}

/// The CRC-32 of all lines so far, each without its own checksum and with its newline.
#[derive(Clone, Debug, Default)]
pub(crate) struct Checksum(crc32fast::Hasher);

impl Checksum {
    /// Adds a line and returns it between its checksum and a newline.
    pub(crate) fn print(&mut self, text: &str) -> String {
        self.add(text);
        format!("{:08x} {text}\n", self.value())
    }

    /// Adds a line and returns it without its leading checksum; `None` if the checksum does not match.
    pub(crate) fn parse<'a>(&mut self, line: &'a str) -> Option<&'a str> {
        let (digits, text) = line.split_at_checked(DIGITS)?;
        let text = text.strip_prefix(' ')?;
        let mut after = self.clone();
        after.add(text);
        if digits != format!("{:08x}", after.value()) {
            return None;
        }
        *self = after;
        Some(text)
    }

    /// Returns the checksum.
    pub(crate) fn value(&self) -> u32 {
        self.0.clone().finalize()
    }

    fn add(&mut self, text: &str) {
        self.0.update(text.as_bytes());
        self.0.update(b"\n");
    }
}
