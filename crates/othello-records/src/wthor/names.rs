//! The names of players (`.jou`) and tournaments (`.trn`).

use std::{collections::HashMap, io};

use super::{HEADER, Header, MADE};

/// The size of a player's name in bytes, including a final 0.
const PLAYER: usize = 20;

/// The size of a tournament's name in bytes, including a final 0.
const TOURNAMENT: usize = 26;

/// The name of an unknown player or tournament.
const UNKNOWN: &str = "?";

/// The names of players and tournaments, indexed by number.
///
/// # Examples
///
/// ```
/// use othello_records::wthor::Names;
///
/// let mut file = vec![20, 24, 1, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0];
/// file.extend(b"Tastet Marc\0\0\0\0\0\0\0\0\0");
/// file.extend(b"Brightwell Graham\0\0\0");
/// let mut names = Names::default();
/// names.read_players(&file)?;
/// assert_eq!(names.player(1), "Brightwell Graham");
/// assert_eq!(names.player(2), "#2");
/// # Ok::<(), othello_records::wthor::NamesError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Names {
    players: Table,
    tournaments: Table,
}

/// The error of reading a file of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum NamesError {
    /// The header is invalid.
    #[error("expected a WTHOR file of names: a header of 16 bytes with their number")]
    Header,
    /// The length of the file does not match the number of names.
    #[error(
        "expected {expected} bytes, {names} names of {size} bytes after the header, found {found}"
    )]
    Length {
        names: u16,
        size: usize,
        expected: usize,
        found: usize,
    },
}

/// The error of adding a name to a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum NumberError {
    /// The table is full.
    #[error("expected at most 65535 names, found another one: {name}")]
    Full { name: String },
    /// The name is a number, such as `#349`, that already belongs to another name.
    #[error("expected an unused number, but {number} belongs to {name}")]
    Taken { number: u16, name: String },
}

impl Names {
    /// Reads the players of a `.jou` file.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are not such a file.
    pub fn read_players(&mut self, file: &[u8]) -> Result<(), NamesError> {
        self.players = Table::read(file, PLAYER)?;
        Ok(())
    }

    /// Reads the tournaments of a `.trn` file.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are not such a file.
    pub fn read_tournaments(&mut self, file: &[u8]) -> Result<(), NamesError> {
        self.tournaments = Table::read(file, TOURNAMENT)?;
        Ok(())
    }

    /// The name of a player, or the number as in `#349`.
    pub fn player(&self, number: u16) -> String {
        self.players.name(number)
    }

    /// The name of a tournament, or the number as in `#12`.
    pub fn tournament(&self, number: u16) -> String {
        self.tournaments.name(number)
    }

    /// Returns `true` if there is at least one name.
    pub fn any(&self) -> bool {
        !self.players.numbers.is_empty() || !self.tournaments.numbers.is_empty()
    }

    /// The number of a player, who is added if new.
    pub(super) fn number_of_player(&mut self, name: &str) -> Result<u16, NumberError> {
        self.players.number(name, PLAYER)
    }

    /// The number of a tournament, which is added if new.
    pub(super) fn number_of_tournament(&mut self, name: &str) -> Result<u16, NumberError> {
        self.tournaments.number(name, TOURNAMENT)
    }

    /// Writes a `.jou` file.
    ///
    /// # Errors
    ///
    /// Fails if writing fails.
    pub fn write_players(&self, output: impl io::Write) -> io::Result<()> {
        self.players.write(PLAYER, output)
    }

    /// Writes a `.trn` file.
    ///
    /// # Errors
    ///
    /// Fails if writing fails.
    pub fn write_tournaments(&self, output: impl io::Write) -> io::Result<()> {
        self.tournaments.write(TOURNAMENT, output)
    }
}

/// Names by number; a number without a name has an empty string.
#[derive(Clone, Debug, Default)]
struct Table {
    names: Vec<String>,
    numbers: HashMap<String, u16>,
}

impl Table {
    fn read(file: &[u8], size: usize) -> Result<Self, NamesError> {
        let header = Header::read(file).filter(Header::is_plausible);
        let names = header
            .filter(|header| header.games == 0)
            .ok_or(NamesError::Header)?
            .names;
        let expected = HEADER + usize::from(names) * size;
        if file.len() != expected {
            let found = file.len();
            return Err(NamesError::Length {
                names,
                size,
                expected,
                found,
            });
        }
        let mut table = Self::default();
        for (number, name) in (0..=u16::MAX).zip(file[HEADER..].chunks_exact(size)) {
            let end = name.iter().position(|&byte| byte == 0).unwrap_or(size);
            // Names are in Latin-1.
            let name: String = name[..end].iter().copied().map(char::from).collect();
            table.names.push(name.clone());
            if !name.is_empty() {
                table.numbers.entry(name).or_insert(number);
            }
        }
        Ok(table)
    }

    fn name(&self, number: u16) -> String {
        match self.names.get(usize::from(number)).map(String::as_str) {
            Some(UNKNOWN) => String::new(),
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => format!("#{number}"),
        }
    }

    fn number(&mut self, name: &str, size: usize) -> Result<u16, NumberError> {
        let name = fitted(if name.is_empty() { UNKNOWN } else { name }, size);
        if let Some(number) = self.numbers.get(&name) {
            return Ok(*number);
        }
        if let Some(number) = parse_number(&name) {
            return self.reserve(number);
        }
        let full = || NumberError::Full { name: name.clone() };
        // The header counts the names in 16 bits.
        let number = u16::try_from(self.names.len()).ok();
        let number = number
            .filter(|&number| number < u16::MAX)
            .ok_or_else(full)?;
        self.names.push(name.clone());
        self.numbers.insert(name, number);
        Ok(number)
    }

    /// Reserves a number without a name, so that no name gets it.
    fn reserve(&mut self, number: u16) -> Result<u16, NumberError> {
        let index = usize::from(number);
        if self.names.len() <= index {
            self.names.resize(index + 1, String::new());
        }
        match self.names[index].as_str() {
            "" => Ok(number),
            name => Err(NumberError::Taken {
                number,
                name: name.to_owned(),
            }),
        }
    }

    fn write(&self, size: usize, mut output: impl io::Write) -> io::Result<()> {
        let header = Header {
            made: MADE,
            games: 0,
            names: u16::try_from(self.names.len()).unwrap_or(u16::MAX),
            year: 0,
            size: 0,
            kind: 0,
            depth: 0,
        };
        output.write_all(&header.to_bytes())?;
        for name in self.names.iter().take(header.names.into()) {
            let mut bytes: Vec<u8> = name.chars().map(latin_1).collect();
            bytes.resize(size, 0);
            output.write_all(&bytes)?;
        }
        Ok(())
    }
}

/// Parses a number such as `#349`.
fn parse_number(name: &str) -> Option<u16> {
    let digits = name.strip_prefix('#')?;
    digits
        .parse()
        .ok()
        .filter(|number: &u16| number.to_string() == digits)
}

/// Fits a name into a table: cut to `size - 1` letters, with letters outside Latin-1 replaced.
fn fitted(name: &str, size: usize) -> String {
    let letters = name.chars().filter(|&letter| letter != '\0').take(size - 1);
    letters.map(|letter| char::from(latin_1(letter))).collect()
}

fn latin_1(letter: char) -> u8 {
    u8::try_from(u32::from(letter)).unwrap_or(b'?')
}
