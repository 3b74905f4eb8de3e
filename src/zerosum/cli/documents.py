"""What the commands compute, as JSON documents; what a person reads is made from these."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Struct, UnsetType

from zerosum.coach.laws.law import LawDocument
from zerosum.coach.verdicts import Verdict
from zerosum.documents import Document, StatedValue, described
from zerosum.options import option_values
from zerosum.players.levels import Level
from zerosum.protocol import Game, Move, Result, Value
from zerosum.registry import entry_of

Options = dict[str, Any]
Known = Literal["exact", "proved", "unknown"]
Pair = tuple[float, float]
Games = Annotated[int | None, described("the games played; null if figures are exact")]


def about(game: Game[Any]) -> dict[str, Any]:
    """Return what every document about a variant says about it."""
    return {"game": entry_of(game).name, "options": option_values(game)}


def value_of(value: Value | None, exact: bool = True) -> StatedValue | None:
    """Describe a value, None if it is unknown; a search does not find out what is endless."""
    if value is None:
        return None
    unsure = value.result == "draw" and not exact
    return StatedValue(value.result, value.plies, None if unsure else value.endless)


class MoveValue(Struct, frozen=True):
    """What a move is worth to the player who makes it, the move itself counted."""

    move: Move
    label: Annotated[str, described("what the move does, in the game's words")]
    result: Annotated[Result | None, described("null if it is unknown")]
    plies: int | None
    endless: bool | None
    verdict: Annotated[Verdict | None, described("forced: every move has the same result")]
    word: Annotated[str, described("the verdict for people, such as 'longest defence'")]


def read_value(fields: StatedValue | MoveValue | None) -> Value | None:
    """Return the value that was described; None if it is unknown."""
    if fields is None or fields.result is None:
        return None
    return Value(fields.result, fields.plies, bool(fields.endless))


class SearchEffort(Struct, frozen=True):
    """What a search did."""

    positions: int
    seconds: float
    stopped: Annotated[bool, described("whether it was stopped by Ctrl-C")]


class SolutionDocument(Document, frozen=True, kw_only=True, tag="zerosum-solution"):
    """The truth about a position."""

    version: Literal[4] = 4
    game: str
    options: Options
    played: list[Move]
    state: list[Any]
    player: int
    known: Annotated[Known, described("proved: by a search, which finds no lengths")]
    value: Annotated[StatedValue | None, described("null if it is unknown")]
    moves: list[MoveValue]
    line: Annotated[tuple[Move, ...], described("to the end or the first repetition")] = ()
    theory: str | None = None
    law: Annotated[str | None, described("found in the table of a game without a theory")] = None
    why: tuple[str, ...] = ()
    searched: Annotated[SearchEffort | None, described("null if values are exact")] = None


class ExplanationDocument(Document, frozen=True, kw_only=True, tag="zerosum-explanation"):
    """How to win a game."""

    version: Literal[5] = 5
    game: str
    options: Options
    goal: Annotated[str, described("the goal of the game in a sentence, or an empty string")]
    theory: Annotated[str, described("what the theory of the game says; empty if it has none")]
    searched: Annotated[bool, described("whether a law was looked for")]
    law: Annotated[LawDocument | None, described("the law found, if there is no theory")]
    why: list[str]
    value: StatedValue
    advice: Annotated[list[str], described("what the command prints")]


class LevelPair(Struct, frozen=True):
    """How the games of two levels end; `first` moves first."""

    first: str
    second: str
    games: Games
    first_wins: float
    second_wins: float
    draw: Annotated[float, described("the game ends without a winner")]
    endless: Annotated[float, described("the game never ends, or repeats itself until stopped")]


class LevelScore(Struct, frozen=True):
    """What a level scores against another, moving first half the time."""

    level: str
    other: str
    score: Annotated[float, described("1 for a win, ½ for a draw, endless or not")]
    low: Annotated[float, described("the 95% confidence interval; the score if it is exact")]
    high: float
    games: Games


class LevelsDocument(Document, frozen=True, kw_only=True, tag="zerosum-levels"):
    """The strength of the computer players."""

    version: Literal[3] = 3
    game: str
    options: Options
    exact: Annotated[bool, described("if not, the figures are estimates from games")]
    games: Games
    seed: Annotated[int | None, described("the seed of the games; null if figures are exact")]
    levels: list[str]
    pairs: Annotated[list[LevelPair], described("a pair that has not played is left out")]
    scores: list[LevelScore]


class EndChances(Struct, frozen=True):
    """How games between equals end, and what the first player expects to score."""

    first_wins: float
    second_wins: float
    draw: float
    endless: float
    score: float


class StartRow(Struct, frozen=True, kw_only=True):
    """The value of a start to whoever moves first, or the chances of a variant."""

    start: int | UnsetType = UNSET
    result: Result | UnsetType = UNSET
    plies: int | UnsetType | None = UNSET
    options: Options | UnsetType = UNSET
    first: Annotated[Level | UnsetType, described("the level that moves first")] = UNSET
    score: Annotated[float | UnsetType, described("of the weaker level")] = UNSET
    bias: Annotated[float | UnsetType, described("how far the score is from 1/2")] = UNSET
    levels: Annotated[dict[Level, EndChances] | UnsetType, described("between equals")] = UNSET
    first_wins: float | UnsetType = UNSET
    second_wins: float | UnsetType = UNSET
    draw: float | UnsetType = UNSET
    endless: Annotated[bool | float | UnsetType, described("of a variant, how likely")] = UNSET


class StartsDocument(Document, frozen=True, kw_only=True, tag="zerosum-starts"):
    """Who wins which start, or how fair variants are, the fairest first."""

    version: Literal[3] = 3
    game: str
    options: Options
    kind: Literal["values", "fair", "handicap"]
    weaker: Level | UnsetType = UNSET
    stronger: Level | UnsetType = UNSET
    starts: list[StartRow]


class JudgedMove(Struct, frozen=True):
    """A move of a game, what it was worth, and which moves were best."""

    ply: int
    player: int
    move: Move
    label: Annotated[str, described("what the move does, in the game's words")]
    verdict: Verdict | None
    word: Annotated[str, described("the verdict for people, such as 'longest defence'")]
    before: Annotated[StatedValue | None, described("of the position; null if unknown")]
    value: Annotated[StatedValue | None, described("of the move; null if unknown")]
    best: Annotated[list[Move], described("empty if it is not exact")]
    decision: Annotated[bool, described("whether there was anything to get wrong")]


class JudgedGame(Struct, frozen=True):
    """A game of a match, judged; figures are by player, and count only exact values."""

    game: int
    first: Annotated[int, described("the player who moved first")]
    moves: list[JudgedMove]
    exact_from: Annotated[int | None, described("the first ply from which everything is exact")]
    turning_point: Annotated[int | None, described("the ply that decided the game, if known")]
    good: list[int]
    decisions: Annotated[list[int], described("turns with something to get wrong")]
    accuracy: list[float | None]
    known_before: Annotated[int, described("known values of positions before exact_from")]


class KeyMoment(Struct, frozen=True):
    """A move that mattered, and what the review says about it."""

    game: int
    ply: int
    text: list[str]


class ReviewDocument(Document, frozen=True, kw_only=True, tag="zerosum-review"):
    """A match, judged; figures are by player."""

    version: Literal[3] = 3
    game: str
    players: tuple[str, str]
    good: Annotated[list[int], described("good decisions in all games")]
    decisions: Annotated[list[int], described("all decisions in all games")]
    accuracy: Annotated[list[float | None], described("the share of good decisions; null if none")]
    score: Annotated[Pair, described("points; a draw is half a point")]
    match_games: Annotated[int, described("the games of the whole match")]
    key_moments: Annotated[list[KeyMoment], described("at most three, in the order of play")]
    games: list[JudgedGame]


class PuzzleDocument(Document, frozen=True, kw_only=True, tag="zerosum-puzzle"):
    """A puzzle."""

    version: Literal[2] = 2
    id: str
    date: Annotated[str | None, described("the day of a daily puzzle, in UTC")]
    game: str
    title: Annotated[str, described("the game's name for people")]
    variant: Annotated[str, described("the options for people, such as 'start 60'")]
    options: Options
    goal: str
    task: str
    state: list[Any]
    value: StatedValue
    moves: list[Move]
    answer: Move
    grade: Literal["easy", "medium", "hard"]
    missed: Annotated[dict[str, float], described("how likely a level is to miss it")]


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
    score: Annotated[Pair, described("points, by player: 1 for a game won, 0.5 for a draw")]
    plies: Annotated[int, described("moves in all its games")]
    over: bool


class UnreadableMatch(Struct, frozen=True):
    """A match whose rows are damaged."""

    id: str
    reason: str


class HistoryDocument(Document, frozen=True, kw_only=True, tag="zerosum-history"):
    """Saved matches, the latest first."""

    version: Literal[3] = 3
    matches: list[MatchSummary]
    unreadable: list[UnreadableMatch]


class GameCount(Struct, frozen=True):
    """The finished games of a game, by who won: the one who moved first, or second."""

    game: str
    games: int
    first: int
    second: int
    draws: int


class PlayerCount(Struct, frozen=True):
    """The finished games of a player."""

    name: str
    games: int
    wins: int
    draws: int


class StatsDocument(Document, frozen=True, kw_only=True, tag="zerosum-stats"):
    """Finished games, wins and draws."""

    version: Literal[2] = 2
    games: list[GameCount]
    players: Annotated[list[PlayerCount], described("the best first")]


class ImportDocument(Document, frozen=True, kw_only=True, tag="zerosum-import"):
    """A record that was imported."""

    version: Literal[1] = 1
    id: str
    new: Annotated[bool, described("false if the match was already saved")]


class DeletionDocument(Document, frozen=True, kw_only=True, tag="zerosum-deletion"):
    """The matches that were deleted."""

    version: Literal[1] = 1
    ids: list[str]
