//! Arbitrary bytes read as a list of choices.

/// Reads arbitrary bytes as choices; once they are used up, every choice is the first.
#[derive(Clone, Debug)]
pub struct Script<'a>(&'a [u8]);

impl<'a> Script<'a> {
    /// A script of these bytes.
    pub const fn new(data: &'a [u8]) -> Self {
        Self(data)
    }

    /// Returns whether all bytes are used.
    pub const fn is_finished(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the next byte, 0 at the end.
    pub fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((&byte, rest)) => {
                self.0 = rest;
                byte
            }
            None => 0,
        }
    }

    /// Returns a number below `choices`, which is 1 to 256.
    pub fn pick(&mut self, choices: usize) -> usize {
        usize::from(self.byte()) % choices
    }

    /// Returns one of 1 to 256 items.
    pub fn choose<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.pick(items.len())].clone()
    }

    /// Returns a number below `choices`, which is 1 to 65,536, from two bytes.
    pub fn pick_of_many(&mut self, choices: usize) -> usize {
        usize::from(u16::from_be_bytes([self.byte(), self.byte()])) % choices
    }

    /// Returns up to `most` raw bytes.
    pub fn bytes(&mut self, most: usize) -> Vec<u8> {
        let count = self.pick(most + 1).min(self.0.len());
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken.to_vec()
    }
}
