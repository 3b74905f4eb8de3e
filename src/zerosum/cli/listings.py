"""The documents of commands that list games, rules and matches; for --json alone."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Struct

from zerosum.documents import Document, described


class OptionListing(Struct, frozen=True):
    """An option of a game; null means no bound, and an empty list means no choices."""

    name: str
    default: Any
    help: str
    least: int | None
    most: int | None
    choices: list[Any]
    kind: Literal["flag", "number", "numbers", "text"]


class GameListing(Struct, frozen=True):
    """A game and its options."""

    name: str
    title: str
    summary: str
    options: list[OptionListing]


class GamesDocument(Document, frozen=True, kw_only=True, tag="zerosum-games"):
    """The games."""

    version: Literal[2] = 2
    games: list[GameListing]


class RulesDocument(Document, frozen=True, kw_only=True, tag="zerosum-rules"):
    """The rules of a game, as a page of Markdown."""

    version: Literal[1] = 1
    game: str
    title: str
    text: str


class MatchSummary(Struct, frozen=True):
    """A saved match."""

    id: str
    game: str
    players: tuple[str, str]
    started: str
    updated: str
    games: Annotated[int, described("how many games the match has")]
    played: Annotated[int, described("how many of them have ended")]
    score: Annotated[
        tuple[float, float], described("points, by player: 1 for a game won, 0.5 for a draw")
    ]
    plies: Annotated[int, described("moves in all its games")]
    over: bool
    assistant: Annotated[int | None, described("the player for whom an assistant moved, if any")]


class UnreadableMatch(Struct, frozen=True):
    """A match whose rows are damaged."""

    id: str
    reason: str


class HistoryDocument(Document, frozen=True, kw_only=True, tag="zerosum-history"):
    """Saved matches, the latest first."""

    version: Literal[4] = 4
    matches: list[MatchSummary]
    unreadable: list[UnreadableMatch]
