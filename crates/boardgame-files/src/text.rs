//! Text in any encoding, read as UTF-8.
//!
//! Each record of a text has its own encoding: that of a preceding byte order mark; otherwise the one named by its SGF
//! property `CA`, unless the text is UTF-8 beyond doubt; otherwise UTF-8 if valid; otherwise a guess from the letters
//! of all records so far; otherwise windows-1252, which is Latin-1 with letters for unused codes. A record begins at a
//! line such as `(;GM[2]` or `[Event "x"]`; text without such lines is one record.

use std::{
    fmt,
    io::{self, BufRead, Read},
};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, Decoder, Encoding, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
};

/// The number of bytes of a record, from its first non-ASCII letter on, used to find its encoding.
const MAX_SAMPLE: usize = 1 << 20;

/// The number of bytes decoded at once while the encoding is known.
const MAX_PIECE: u64 = 1 << 16;

/// The number of non-ASCII bytes from which a guess of a single-byte encoding is better than Latin-1.
const MIN_LETTERS: usize = 3;

/// The maximum length of an encoding's name in bytes.
const MAX_NAME: usize = 40;

/// The properties and tags that a record begins with, in lower case.
const FIRST_NAMES: [&[u8]; 9] = [
    b"gm[", b"ff[", b"ca[", b"sz[", b"ap[", b"ev[", b"pb[", b"pw[", b"gn[",
];

/// The encoding that a part of a text was read in, and how sure that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadAs {
    encoding: &'static Encoding,
    /// True if the text neither names the encoding nor is UTF-8.
    pub guessed: bool,
    /// True if bytes were invalid in the encoding and replaced with U+FFFD.
    pub damaged: bool,
}

impl ReadAs {
    const UTF_8: Self = Self {
        encoding: UTF_8,
        guessed: false,
        damaged: false,
    };

    /// The name of the encoding, such as `Shift_JIS`.
    pub fn name(self) -> &'static str {
        self.encoding.name()
    }

    /// Returns the length in the source of a text read in this encoding, in bytes; approximate for damaged text and for
    /// rare letters of multi-byte encodings.
    pub fn source_len(self, text: &[u8]) -> usize {
        if self == Self::UTF_8 {
            return text.len();
        }
        let letters = || text.utf8_chunks().flat_map(|chunk| chunk.valid().chars());
        let is_replaced = |letter: &char| self.damaged && *letter == char::REPLACEMENT_CHARACTER;
        let replaced = letters().filter(is_replaced).count();
        if self.encoding == UTF_8 {
            text.len() - 2 * replaced
        } else if self.encoding.is_single_byte() {
            letters().count()
        } else if !self.encoding.is_ascii_compatible() && self.encoding != ISO_2022_JP {
            letters().map(|letter| 2 * letter.len_utf16()).sum()
        } else {
            let is_narrow =
                |letter: char| self.encoding == SHIFT_JIS && ('｡'..='ﾟ').contains(&letter);
            let is_wide = |letter: &char| !letter.is_ascii() && !is_narrow(*letter);
            letters().count() + letters().filter(is_wide).count() - replaced
        }
    }
}

impl fmt::Display for ReadAs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "read as {}", self.name())?;
        f.write_str(if self.damaged {
            ", parts of which are damaged"
        } else {
            ""
        })
    }
}

/// An input in any encoding that is read as UTF-8.
///
/// # Examples
///
/// ```
/// use boardgame_files::TextReader;
///
/// let mut reader = TextReader::new(&b"(;CA[Shift_JIS]PB[\x95\\])"[..]);
/// assert_eq!(std::io::read_to_string(&mut reader)?, "(;CA[Shift_JIS]PB[表])");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct TextReader<R> {
    input: R,
    /// The decoded text, and the number of its bytes that are consumed.
    text: Vec<u8>,
    consumed: usize,
    read_as: ReadAs,
    /// The places in the input of the first byte that is not consumed and of the end of `text`.
    offset: u64,
    end: u64,
    /// A piece that is read and not decoded.
    next: Option<Vec<u8>>,
    is_line_begin: bool,
    record: Record,
    detector: EncodingDetector,
}

/// The encoding of a record, as far as it is known.
#[derive(Default)]
struct Record {
    /// True after a line that begins with `(;`: only trees name their encoding.
    is_tree: bool,
    named: Option<&'static Encoding>,
    decoder: Option<(Decoder, ReadAs)>,
}

impl<R: BufRead> TextReader<R> {
    /// Creates a reader of an input.
    pub fn new(input: R) -> Self {
        Self {
            input,
            text: Vec::new(),
            consumed: 0,
            read_as: ReadAs::UTF_8,
            offset: 0,
            end: 0,
            next: None,
            is_line_begin: true,
            record: Record::default(),
            detector: EncodingDetector::new(Iso2022JpDetection::Allow),
        }
    }

    /// Returns the position in the input of the next byte of text, once there is one in the buffer.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the encoding that the text in the buffer was read in; UTF-8 for ASCII.
    pub const fn read_as(&self) -> ReadAs {
        self.read_as
    }

    /// Reads a line or a part of it, empty at the end of the input.
    fn piece(&mut self) -> io::Result<Vec<u8>> {
        let mut piece = Vec::new();
        let mut input = self.input.by_ref().take(MAX_PIECE);
        input.read_until(b'\n', &mut piece)?;
        Ok(piece)
    }

    /// Decodes the next piece, or more while its encoding is not known.
    fn refill(&mut self) -> io::Result<()> {
        let mut bytes = match self.next.take() {
            Some(piece) => piece,
            None => self.piece()?,
        };
        self.text.clear();
        self.consumed = 0;
        self.offset = self.end;
        self.end += bytes.len() as u64;
        let begins = self.is_line_begin && begins_record(&bytes);
        if bytes.is_empty() || begins {
            self.finish_record();
        }
        if bytes.is_empty() {
            return Ok(());
        }
        if self.is_line_begin {
            self.take_mark(&mut bytes);
            self.record.is_tree |= bytes.trim_ascii_start().starts_with(b"(;");
        }
        self.is_line_begin = bytes.last() == Some(&b'\n');
        self.take_name(&bytes);
        if self.record.decoder.is_none() && !is_plain(&bytes) {
            self.gather(&mut bytes)?;
            self.take_name(&bytes);
            let read_as = choose(&bytes, self.record.named, &mut self.detector);
            let decoder = read_as.encoding.new_decoder_without_bom_handling();
            self.record.decoder = Some((decoder, read_as));
        }
        self.decode(bytes);
        Ok(())
    }

    /// Takes the name of the encoding, if the record has it and it is not known yet.
    fn take_name(&mut self, bytes: &[u8]) {
        if self.record.is_tree && self.record.named.is_none() {
            self.record.named = charset(bytes);
        }
    }

    /// Takes a byte order mark from the beginning of a line.
    fn take_mark(&mut self, bytes: &mut Vec<u8>) {
        // Only the first two bytes of a file indicate UTF-16.
        let is_first = self.offset == 0;
        let mark = match bytes[..] {
            // Trees in UTF-16 are recognized without a mark, too.
            [b'(', 0, ..] => Some((UTF_16LE, 0)),
            [0, b'(', ..] => Some((UTF_16BE, 0)),
            _ => Encoding::for_bom(bytes),
        };
        let mark = mark.filter(|(encoding, _)| is_first || *encoding == UTF_8);
        let Some((encoding, length)) = mark else {
            return;
        };
        bytes.drain(..length);
        self.offset += length as u64;
        self.record.named = Some(encoding);
        if encoding != UTF_8 {
            let read_as = ReadAs {
                encoding,
                ..ReadAs::UTF_8
            };
            let decoder = encoding.new_decoder_without_bom_handling();
            self.record.decoder = Some((decoder, read_as));
        }
    }

    /// Reads more of the record, up to the size of a sample.
    fn gather(&mut self, bytes: &mut Vec<u8>) -> io::Result<()> {
        while bytes.len() < MAX_SAMPLE {
            let piece = self.piece()?;
            if piece.is_empty() || self.is_line_begin && begins_record(&piece) {
                self.next = Some(piece);
                break;
            }
            self.end += piece.len() as u64;
            self.is_line_begin = piece.last() == Some(&b'\n');
            bytes.extend(piece);
        }
        Ok(())
    }

    fn decode(&mut self, bytes: Vec<u8>) {
        let Some((decoder, read_as)) = &mut self.record.decoder else {
            self.read_as = ReadAs::UTF_8;
            self.text.extend(bytes);
            return;
        };
        decode_some(decoder, read_as, &bytes, &mut self.text, false);
        self.read_as = *read_as;
    }

    /// Ends a record; its last letter may be incomplete.
    fn finish_record(&mut self) {
        if let Some((mut decoder, mut read_as)) = std::mem::take(&mut self.record).decoder {
            decode_some(&mut decoder, &mut read_as, &[], &mut self.text, true);
            self.read_as = read_as;
        }
    }
}

impl<R: BufRead> BufRead for TextReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.consumed == self.text.len() {
            let end = self.end;
            self.refill()?;
            if self.end == end && self.text.is_empty() {
                break;
            }
        }
        Ok(&self.text[self.consumed..])
    }

    fn consume(&mut self, count: usize) {
        let text = &self.text[self.consumed..][..count];
        let length = self.read_as.source_len(text) as u64;
        self.offset = (self.offset + length).min(self.end);
        self.consumed += count;
        if self.consumed == self.text.len() {
            self.offset = self.end;
        }
    }
}

impl<R: BufRead> Read for TextReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

/// Decodes a whole text in any encoding, and reports the encoding if it was guessed or the text is damaged.
pub fn decode(bytes: &[u8]) -> (String, Option<ReadAs>) {
    let mut reader = TextReader::new(bytes);
    let mut text = Vec::new();
    let mut told = None;
    // Slices cannot fail.
    while let Ok(read @ [_, ..]) = reader.fill_buf() {
        text.extend_from_slice(read);
        let count = read.len();
        let read_as = reader.read_as();
        if read_as.damaged || told.is_none() && read_as.guessed {
            told = Some(read_as);
        }
        reader.consume(count);
    }
    (String::from_utf8_lossy(&text).into_owned(), told)
}

fn decode_some(
    decoder: &mut Decoder,
    read_as: &mut ReadAs,
    bytes: &[u8],
    text: &mut Vec<u8>,
    last: bool,
) {
    let room = decoder.max_utf8_buffer_length(bytes.len());
    let mut decoded = String::with_capacity(room.unwrap_or_default());
    let (_, _, replaced) = decoder.decode_to_string(bytes, &mut decoded, last);
    read_as.damaged |= replaced;
    text.extend(decoded.into_bytes());
}

/// Returns `true` if bytes are ASCII without the ISO 2022 shifts to other character sets.
fn is_plain(bytes: &[u8]) -> bool {
    bytes.is_ascii() && !bytes.contains(&0x1b)
}

/// Returns `true` if a line is the first of a record.
fn begins_record(line: &[u8]) -> bool {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let begins = |text: &[u8], begin: &[u8]| {
        let head = text.get(..begin.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(begin))
    };
    match line.strip_prefix(b"(;") {
        Some(node) => {
            let node = node.trim_ascii();
            node.is_empty() || FIRST_NAMES.iter().any(|name| begins(node, name))
        }
        None => begins(line, b"[event \""),
    }
}

/// Returns the encoding named by the property `CA` of a record, if there is one.
fn charset(record: &[u8]) -> Option<&'static Encoding> {
    let places = (0..record.len()).filter(|&place| record[place..].starts_with(b"CA["));
    let mut values = places.filter_map(|place| {
        let before = record[..place].trim_ascii_end().last();
        let after = &record[place + 3..];
        let value = after[..after.len().min(MAX_NAME)].split(|&byte| byte == b']');
        value
            .take(1)
            .find(|_| matches!(before, None | Some(b']' | b';')))
    });
    values.find_map(|value| encoding_named(value.trim_ascii()))
}

/// Returns the encoding of a name: those of the web, and code page numbers.
fn encoding_named(name: &[u8]) -> Option<&'static Encoding> {
    if let Some(encoding) = Encoding::for_label_no_replacement(name) {
        return Some(encoding);
    }
    let name = name.to_ascii_lowercase();
    match name.as_slice() {
        b"cp932" => Some(SHIFT_JIS),
        b"cp936" | b"euc-cn" => Some(GBK),
        b"cp950" => Some(BIG5),
        [b'c', b'p', number @ ..] => Encoding::for_label(&[b"windows-", number].concat()),
        // As in ISO8859_1.
        name => Encoding::for_label(
            &name
                .split(|&byte| byte == b'_')
                .collect::<Vec<_>>()
                .join(&b'-'),
        ),
    }
}

/// Chooses the encoding of bytes that are not ASCII.
fn choose(
    bytes: &[u8],
    named: Option<&'static Encoding>,
    detector: &mut EncodingDetector,
) -> ReadAs {
    let shifted = bytes.is_ascii();
    let utf_8 = Some(UTF_8).filter(|_| !shifted || named.is_some());
    let candidates = || named.into_iter().chain(utf_8);
    let sure = |encoding| ReadAs {
        encoding,
        ..ReadAs::UTF_8
    };
    // Other text is hardly ever UTF-8 by chance, and almost never with a three-byte letter.
    let beyond_doubt =
        named.is_none_or(Encoding::is_single_byte) || bytes.iter().any(|&byte| byte >= 0xe0);
    if !shifted && beyond_doubt && str::from_utf8(bytes).is_ok() {
        return ReadAs::UTF_8;
    }
    // A few damaged bytes do not make it another encoding.
    let suits = |encoding: &&'static Encoding| {
        let (text, _) = encoding.decode_without_bom_handling(bytes);
        let letters = text.chars().filter(|letter| !letter.is_ascii()).count();
        // The last letter may be cut short.
        let text = text
            .strip_suffix(char::REPLACEMENT_CHARACTER)
            .unwrap_or(&text);
        let replaced = text.matches(char::REPLACEMENT_CHARACTER).count();
        replaced * 10 <= letters
    };
    if let Some(encoding) = candidates().find(|encoding| {
        encoding
            .decode_without_bom_handling_and_without_replacement(bytes)
            .is_some()
    }) {
        return sure(encoding);
    }
    if let Some(encoding) = candidates().find(suits) {
        return sure(encoding);
    }
    detector.feed(bytes, false);
    let guess = detector.guess(None, Utf8Detection::Deny);
    let letters = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    let encoding = match guess {
        _ if shifted && guess != ISO_2022_JP => return ReadAs::UTF_8,
        guess if guess.is_single_byte() && letters < MIN_LETTERS || !suits(&guess) => WINDOWS_1252,
        guess => guess,
    };
    ReadAs {
        guessed: true,
        ..sure(encoding)
    }
}

#[cfg(test)]
mod tests;
