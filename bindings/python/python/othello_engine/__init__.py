"""A strong Othello engine, the rules, game records, and batches of positions for NumPy."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from ._native import (
    Board,
    Service,
    VectorEnv,
    evaluate,
    legal_moves,
    play,
    playouts,
    score,
)
from ._native import solve as _solve

__all__ = [
    "Board",
    "Engine",
    "MoveValue",
    "VectorEnv",
    "evaluate",
    "legal_moves",
    "play",
    "playouts",
    "score",
]

PASS = 64
"""The number of a pass among the squares of a batch."""


@dataclass(frozen=True)
class MoveValue:
    """A move, and its value in discs for the side to move."""

    move: str
    score: float | None
    exact: bool
    line: list[str]

    @classmethod
    def _of(cls, report: dict[str, Any]) -> MoveValue:
        exact = report["source"]["kind"] != "depth"
        return cls(report["move"], report.get("score"), exact, report.get("line", []))


class Engine:
    """The engine. A search ends on Ctrl-C; one engine serves one search at a time."""

    def __init__(self, threads: int = 1, hash_mib: int = 32) -> None:
        self._service = Service(threads, hash_mib)
        self._threads = threads

    def ask(self, call: str, **fields: Any) -> dict[str, Any]:
        """Carries out a request of docs/web.md, such as `hint`, and returns the last event.

        Raises ValueError if the request cannot be carried out.
        """
        given = {name: value for name, value in fields.items() if value is not None}
        answer: dict[str, Any] = json.loads(
            self._service.ask(json.dumps({"call": call, **given}).encode())
        )
        if answer["event"] == "error":
            raise ValueError(answer["message"])
        return answer

    def choose(
        self, board: Board, *, level: int | str | None = None, time: float | None = None
    ) -> MoveValue:
        """Chooses a move at a level (1 to 60, a rating from 100 on, or a name such as "club") or within a time in
        seconds; a second without either."""
        answer = self.ask("move", **_position(board), level=level, time_ms=_milliseconds(time))
        return MoveValue._of(answer)

    def hint(
        self, board: Board, *, depth: int | None = None, time: float | None = None
    ) -> list[MoveValue]:
        """Values all moves, best first, to a depth in plies (1 to 60) or for a time in seconds."""
        if depth is None and time is None:
            time = 1
        answer = self.ask("hint", **_position(board), depth=depth, time_ms=_milliseconds(time))
        return [MoveValue._of(report) for report in answer["moves"]]

    def solve(self, board: Board) -> tuple[int, list[str]]:
        """Returns the exact score in discs for the side to move, and a line of best play."""
        return _solve(board.own, board.opponent, self._threads)

    def analyze(
        self,
        game: Board | str,
        *,
        depth: int | None = None,
        exact_from: int | None = None,
        number: int | None = None,
    ) -> dict[str, Any]:
        """Analyzes a game, or a game of a record in any format: the report of `othello analyze`."""
        if isinstance(game, Board):
            source: dict[str, Any] = _position(game)
        else:
            source = {"text": game, "game": number}
        report: dict[str, Any] = self.ask("analyze", **source, depth=depth, exact_from=exact_from)
        return report

    def read(self, text: str, *, first: int | None = None, count: int | None = None) -> dict[str, Any]:
        """Reads the games of a record: SGF, GGF, PGN, transcripts and the other formats."""
        return self.ask("records", text=text, first=first, count=count)


def _position(board: Board) -> dict[str, Any]:
    return {"board": str(board.start), "moves": board.transcript}


def _milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else max(1, round(seconds * 1000))
