//! Situations of a game that programs often get wrong.

use othello_core::{Bitboard, Board, Color, Move};

/// A situation that a program may meet in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Situation {
    /// The program has to pass.
    MustPass,
    /// The program has to pass at two of its turns in a row.
    MustPassTwice,
    /// The opponent has to pass.
    OpponentPasses,
    /// The opponent has to pass at two of its turns in a row.
    OpponentPassesTwice,
    /// The board is full at the end.
    FullBoard,
    /// Neither side can move before the board is full, and both have discs.
    EarlyEnd,
    /// The program has no disc left.
    WipedOut,
    /// The opponent has no disc left.
    WipesOut,
    /// The program makes the last move.
    LastMove,
    /// The opponent makes the last move.
    OpponentEnds,
}

impl Situation {
    /// All of them.
    pub(super) const ALL: [Self; 10] = [
        Self::MustPass,
        Self::MustPassTwice,
        Self::OpponentPasses,
        Self::OpponentPassesTwice,
        Self::FullBoard,
        Self::EarlyEnd,
        Self::WipedOut,
        Self::WipesOut,
        Self::LastMove,
        Self::OpponentEnds,
    ];

    /// Returns the name of its case.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::MustPass => "pass",
            Self::MustPassTwice => "pass-twice",
            Self::OpponentPasses => "opponent-passes",
            Self::OpponentPassesTwice => "opponent-passes-twice",
            Self::FullBoard => "full-board",
            Self::EarlyEnd => "early-end",
            Self::WipedOut => "wiped-out",
            Self::WipesOut => "wipes-out",
            Self::LastMove => "last-move",
            Self::OpponentEnds => "opponent-ends",
        }
    }

    /// Returns what happens, in a few words.
    pub(super) const fn in_words(self) -> &'static str {
        match self {
            Self::MustPass => "it has no legal move",
            Self::MustPassTwice => "it has no legal move at two turns in a row",
            Self::OpponentPasses => "the opponent has no legal move",
            Self::OpponentPassesTwice => "the opponent has no legal move at two turns in a row",
            Self::FullBoard => "the game ends on a full board",
            Self::EarlyEnd => "the game ends with empty squares",
            Self::WipedOut => "it loses all its discs",
            Self::WipesOut => "it takes all discs",
            Self::LastMove => "its move ends the game",
            Self::OpponentEnds => "the opponent's move ends the game",
        }
    }

    const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// A game in progress and the situations in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tracker {
    program: Color,
    board: Board,
    /// The passes in a row of the program and of the opponent.
    passes: [u32; 2],
    /// All passes of the program and of the opponent.
    total_passes: [u32; 2],
    found: u16,
}

impl Tracker {
    /// Returns the tracker of a game that a program plays with this colour.
    pub(super) const fn new(board: Board, program: Color) -> Self {
        Self {
            program,
            board,
            passes: [0; 2],
            total_passes: [0; 2],
            found: 0,
        }
    }

    pub(super) const fn board(&self) -> Board {
        self.board
    }

    /// Plays a legal move.
    pub(super) fn play(&mut self, mv: Move) {
        use Situation::{
            EarlyEnd, FullBoard, LastMove, MustPass, MustPassTwice, OpponentEnds, OpponentPasses,
            OpponentPassesTwice, WipedOut, WipesOut,
        };
        let side = self.board.side_to_move();
        let own = side == self.program;
        let passes = &mut self.passes[usize::from(!own)];
        if mv == Move::Pass {
            *passes += 1;
            self.total_passes[usize::from(!own)] += 1;
            let (once, twice) = if own {
                (MustPass, MustPassTwice)
            } else {
                (OpponentPasses, OpponentPassesTwice)
            };
            self.found |= if *passes > 1 { twice } else { once }.bit();
        } else {
            *passes = 0;
        }
        // Whoever chose the move has judged it.
        let _ = self.board.play(mv);
        if self.board.is_over() {
            let end = if self.board.empties() == Bitboard::EMPTY {
                FullBoard
            } else if self.board.discs(self.program).is_empty() {
                WipedOut
            } else if self.board.discs(!self.program).is_empty() {
                WipesOut
            } else {
                EarlyEnd
            };
            let last = if own { LastMove } else { OpponentEnds };
            self.found |= end.bit() | last.bit();
        }
    }

    /// Returns how close the game has come to a situation: 1,000 if it was reached.
    pub(super) fn closeness(&self, situation: Situation) -> u32 {
        let discs = |color| self.board.discs(color).count();
        match situation {
            _ if self.has(situation) => 1000,
            Situation::MustPassTwice => self.total_passes[0],
            Situation::OpponentPassesTwice => self.total_passes[1],
            Situation::WipedOut => 64 - discs(self.program),
            Situation::WipesOut => 64 - discs(!self.program),
            Situation::EarlyEnd => self.board.empties().count(),
            _ => 0,
        }
    }

    pub(super) const fn has(&self, situation: Situation) -> bool {
        self.found & situation.bit() != 0
    }
}
