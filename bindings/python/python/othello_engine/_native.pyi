from typing import Literal

import numpy as np
from numpy.typing import NDArray

Color = Literal["black", "white"]
Boards = NDArray[np.uint64]

class Board:
    """A game in progress: a start, and the moves since."""

    def __init__(self, text: str | None = None) -> None:
        """Begins at the board of a text (64 squares of X, O and -, and the side to move), or at the start."""
    @staticmethod
    def from_moves(moves: str) -> Board:
        """Plays the moves of a transcript, such as f5d6c3, from the start. Passes may be left out."""
    @staticmethod
    def from_bitboards(black: int, white: int, turn: Color = "black") -> Board:
        """Begins at a board of two sets of discs: bit 0 is a1, bit 63 is h8."""
    def play(self, mv: str) -> None:
        """Plays a move such as f5, or ps for a pass. Raises ValueError if it is illegal."""
    def undo(self) -> str | None:
        """Takes the last move back and returns it."""
    def copy(self) -> Board: ...
    def score(self, color: Color = "black") -> int:
        """The difference of discs for a color; empty squares count for the leader."""
    def symmetries(self) -> list[Board]:
        """The board in its eight orientations, the identity first."""
    def canonical(self) -> Board:
        """The same board for all orientations."""
    def perft(self, depth: int) -> int:
        """Counts the leaves of the game tree at a depth; a pass is a ply."""
    def _repr_svg_(self) -> str: ...
    @property
    def legal_moves(self) -> list[str]: ...
    @property
    def must_pass(self) -> bool: ...
    @property
    def is_over(self) -> bool: ...
    @property
    def turn(self) -> Color: ...
    @property
    def moves(self) -> list[str]: ...
    @property
    def transcript(self) -> str: ...
    @property
    def start(self) -> Board:
        """The board before the first move."""
    @property
    def black(self) -> int: ...
    @property
    def white(self) -> int: ...
    @property
    def own(self) -> int:
        """The discs of the side to move."""
    @property
    def opponent(self) -> int: ...

class Service:
    def __init__(self, threads: int, hash_mib: int) -> None: ...
    def ask(self, request: bytes) -> str: ...

class VectorEnv:
    """Many games at once: forced passes are played, and a finished game begins anew."""

    def __init__(self, count: int) -> None: ...
    def __len__(self) -> int: ...
    def reset(self) -> None: ...
    def step(self, squares: NDArray[np.uint8]) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
        """Plays a move in each game. Returns the scores of Black, 0 in games that go on, and which games have ended.

        Raises ValueError if a move is illegal, and plays none of them.
        """
    @property
    def own(self) -> Boards: ...
    @property
    def opponent(self) -> Boards: ...
    @property
    def legal_moves(self) -> Boards: ...
    @property
    def white_to_move(self) -> NDArray[np.bool_]: ...

def legal_moves(own: Boards, opponent: Boards) -> Boards:
    """The squares where the side to move may play, a bit each."""

def play(own: Boards, opponent: Boards, squares: NDArray[np.uint8]) -> tuple[Boards, Boards]:
    """The positions after a move each (64 is a pass), from the point of view of the next side to move."""

def score(own: Boards, opponent: Boards) -> NDArray[np.int8]:
    """The differences of discs; empty squares count for the leader."""

def evaluate(own: Boards, opponent: Boards) -> NDArray[np.float32]:
    """The engine's evaluation in discs, without looking ahead."""

def playouts(own: Boards, opponent: Boards, seed: int) -> NDArray[np.int8]:
    """The final scores of random games from each position."""

def solve(own: int, opponent: int, threads: int) -> tuple[int, list[str]]: ...
