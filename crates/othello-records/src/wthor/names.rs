//! The names of players (`.jou`) and tournaments (`.trn`).

use std::{collections::HashMap, io};

use super::{HEADER, Header, MADE};

/// The bytes of a player's name, the last of which is 0.
pub(crate) const PLAYER: usize = 20;

/// The bytes of a tournament's name, the last of which is 0.
pub(crate) const TOURNAMENT: usize = 26;

/// The name of a player or tournament that is not told.
const UNKNOWN: &str = "?";

/// The names of players and tournaments by their numbers.
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

/// An error: a file is not one of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NamesError {
    /// It does not begin as such a file does.
    #[error("expected a WTHOR file of names: a header of 16 bytes with their number")]
    Header,
    /// Its length is not that of its names.
    #[error(
        "expected {expected} bytes, {names} names of {size} bytes after the header, found {found}"
    )]
    Length {
        /// The number of names in the header.
        names: u16,
        /// The bytes of a name.
        size: usize,
        /// The bytes that the file should have.
        expected: usize,
        /// The bytes that it has.
        found: usize,
    },
}

/// An error: a name has no place in a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NumberError {
    /// The table is full.
    #[error("expected at most 65535 names, found another one: {name}")]
    Full {
        /// The name.
        name: String,
    },
    /// The name is a number, which has another name.
    #[error("expected no name for number {number} but that number, found {name}")]
    Taken {
        /// The number.
        number: u16,
        /// The name of that number.
        name: String,
    },
}

impl Names {
    /// Takes the players of the bytes of a file `.jou`.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are not such a file's.
    pub fn read_players(&mut self, file: &[u8]) -> Result<(), NamesError> {
        self.players = Table::read(file, PLAYER)?;
        Ok(())
    }

    /// Takes the tournaments of the bytes of a file `.trn`.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are not such a file's.
    pub fn read_tournaments(&mut self, file: &[u8]) -> Result<(), NamesError> {
        self.tournaments = Table::read(file, TOURNAMENT)?;
        Ok(())
    }

    /// The name of a player, or its number as in `#349`.
    pub fn player(&self, number: u16) -> String {
        self.players.name(number)
    }

    /// The name of a tournament, or its number as in `#12`.
    pub fn tournament(&self, number: u16) -> String {
        self.tournaments.name(number)
    }

    /// Returns `true` if there are names and not only numbers.
    pub fn any(&self) -> bool {
        !self.players.numbers.is_empty() || !self.tournaments.numbers.is_empty()
    }

    /// The number of a player, which is added if it is new.
    pub(super) fn number_of_player(&mut self, name: &str) -> Result<u16, NumberError> {
        self.players.number(name, PLAYER)
    }

    /// The number of a tournament, which is added if it is new.
    pub(super) fn number_of_tournament(&mut self, name: &str) -> Result<u16, NumberError> {
        self.tournaments.number(name, TOURNAMENT)
    }

    /// Writes a file `.jou`.
    ///
    /// # Errors
    ///
    /// Fails if the output does.
    pub fn write_players(&self, output: impl io::Write) -> io::Result<()> {
        self.players.write(PLAYER, output)
    }

    /// Writes a file `.trn`.
    ///
    /// # Errors
    ///
    /// Fails if the output does.
    pub fn write_tournaments(&self, output: impl io::Write) -> io::Result<()> {
        self.tournaments.write(TOURNAMENT, output)
    }
}

/// Names by number. A number that has none is an empty string.
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
            // The names are in Latin-1.
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
        if let Some(number) = number_told(&name) {
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

    /// Keeps a number that has no name from being given to one.
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

/// The number that a name such as `#349` stands for.
fn number_told(name: &str) -> Option<u16> {
    let digits = name.strip_prefix('#')?;
    digits
        .parse()
        .ok()
        .filter(|number: &u16| number.to_string() == digits)
}

/// Returns `true` if a table of names of this size holds a name as it is.
pub(crate) fn holds_name(name: &str, size: usize) -> bool {
    fitted(name, size) == name && name != UNKNOWN
}

/// A name as a table holds it: cut after `size - 1` letters, those outside Latin-1 replaced.
fn fitted(name: &str, size: usize) -> String {
    let letters = name.chars().filter(|&letter| letter != '\0').take(size - 1);
    letters.map(|letter| char::from(latin_1(letter))).collect()
}

fn latin_1(letter: char) -> u8 {
    u8::try_from(u32::from(letter)).unwrap_or(b'?')
}
