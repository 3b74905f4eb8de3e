"""What is said about a game: its own words where it has them, plain ones where it has none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from zerosum.game import Field, Game, GameError, Outcome
from zerosum.match import Match, Round
from zerosum.registry import part_of, title_of
from zerosum.shown import fields_of, is_field, keys_of, spoken

Names = tuple[str, str]
SMALL = range(1, 10)
MOST_LISTED = 100
LONG_NUMBER = 40
# What a game may say in its own words; each gets the game first.
HOOKS = (
    *("opening", "status", "position", "turn", "prompt"),
    *("label", "moved", "ending", "fields"),
)


class Wording:
    """The sentences of one variant, for any game.

    >>> import zerosum
    >>> words = Wording(zerosum.game("dual-digits"))
    >>> words.prompt(words.game.initial(), ("Ada", "Bob"))
    'Enter the number you wish to subtract: '
    """

    def __init__(self, game: Game[Any]) -> None:
        """Find the game's own words."""
        self.game = game
        self.own = part_of(game, "words")

    def opening(self, state: Any, names: Names) -> str:
        """Open a game."""
        own = self._own("opening", state, names)
        return f"=== {title_of(self.game)} ===\n" if own is None else own

    def status(self, state: Any, names: Names) -> str:
        """Show what both players want to see at the start of a turn; often nothing."""
        return self._own("status", state, names) or ""

    def position(self, state: Any, names: Names) -> str:
        """Show a position on one line, to whoever comes back to it."""
        own = self._own("position", state, names)
        return _position(state).replace("\n", ", ") if own is None else own

    def turn(self, state: Any, names: Names) -> str:
        """Show the position to the player to move."""
        own = self._own("turn", state, names)
        if own is not None:
            return own
        moves = ", ".join(map(str, self.game.moves(state)))
        return f"{names[state.player]}'s turn.\n{_position(state)}\nMoves: {moves}"

    def prompt(self, state: Any, names: Names) -> str:
        """Ask for a move."""
        own = self._own("prompt", state, names)
        return "Your move: " if own is None else own

    def label(self, state: Any, move: int) -> str:
        """Name a legal move by what it does."""
        own = self._own("label", state, move)
        if own is not None:
            return own
        after = self.game.play(state, move)
        changes = [
            f"{spoken(name)} becomes {new}"
            for name, old, new in zip(state._fields, state, after, strict=True)
            if name != "player" and old != new
        ]
        return ", ".join(changes) or "changes nothing"

    def moved(self, state: Any, move: int, after: Any, names: Names) -> str:
        """Announce a move."""
        own = self._own("moved", state, move, after, names)
        return f"{names[state.player]} plays {move}.\n" if own is None else own

    def ending(self, state: Any, outcome: Outcome, names: Names) -> str:
        """Announce the end that the rules brought about."""
        own = self._own("ending", state, outcome, names)
        if own is not None:
            return own
        return f"{_position(state)}\n{names[outcome.winner]} wins: {outcome.reason}."

    def finish(self, match: Match, played: Round) -> str:
        """Announce the end of a game of a match, whatever brought it about."""
        names, state, end = match.names_of(played), played.states[-1], played.end
        if end is None:
            return "The game is not over."
        outcome = self.game.outcome(state)
        if outcome is not None:
            return self.ending(state, outcome, names)
        if end.winner is None:
            return f"No winner: {end.reason}."
        loser, winner = match.players[1 - end.winner], match.players[end.winner]
        if end.by == "time":
            return f"Time is up for {loser}.\n{winner} wins the game!"
        return f"{loser} resigns.\n{winner} wins the game!"

    def survey(self, state: Any) -> list[str]:
        """List every legal move with what it does, then why other small numbers are not."""
        moves = self.game.moves(state)
        lines = [f"{move}: {self.label(state, move)}" for move in moves[:MOST_LISTED]]
        if len(moves) > MOST_LISTED:
            lines.append(f"… and {len(moves) - MOST_LISTED} more, from {moves[MOST_LISTED]} up")
        return lines + self.refused(state)

    def refused(self, state: Any) -> list[str]:
        """Say why small numbers that are no legal move are none."""
        moves = self.game.moves(state)
        refused: dict[str, list[int]] = {}
        for move in SMALL:
            objection = None if move in moves else self.game.objection(state, move)
            if objection is not None:
                refused.setdefault(objection, []).append(move)
        return [f"Not {runs(some)}: {why}" for why, some in refused.items()]

    def fields(self, state: Any) -> tuple[Field, ...]:
        """Show a state by its fields: what is shared, and what belongs to a seat.

        Two fields `first...` and `second...` belong to the seats; the player to move is shown
        in another way.

        >>> import zerosum
        >>> game = zerosum.game("digit-battle")
        >>> [(one.title, one.value, one.seat) for one in Wording(game).fields(game.initial())]
        [('Number', 0, None), ('Lives', 10, 0), ('Lives', 10, 1)]
        """
        say = getattr(self.own, "fields", None)
        if say is None:
            return fields_of(state)
        own = say(self.game, state)
        if not isinstance(own, (tuple, list)) or not all(map(is_field, own)):
            raise GameError(
                f"fields() of {type(self.game).__name__}'s words must give a tuple of "
                "zerosum.game.Field(name, title, value, seat, kind)."
            )
        return tuple(own)

    def keys(self) -> tuple[int, ...]:
        """List the moves that are worth a button even when they are not legal; () if too many.

        >>> import zerosum
        >>> Wording(zerosum.game("number-navigator")).keys()
        (1, 2, 3, 4)
        """
        return keys_of(self.game)

    def _own(self, name: str, *args: Any) -> str | None:
        """Say it in the game's own words, if it has any."""
        say = getattr(self.own, name, None)
        if say is None:
            return None
        text = say(self.game, *args)
        if not isinstance(text, str):
            raise GameError(f"{name}() of {type(self.game).__name__}'s words gives no text.")
        return text


def transcript(match: Match, played: Round, words: Wording | None = None) -> Iterator[str]:
    """Tell a game from its opening to its end, as it looked when it was played."""
    words = words or Wording(match.game)
    names = match.names_of(played)
    yield words.opening(played.states[0], names)
    for ply, (move, state) in enumerate(zip(played.moves, played.states, strict=False)):
        yield from ask(words, state, names, fresh=ply == 0)
        yield f"{words.prompt(state, names)}{move}"
        yield words.moved(state, move, played.states[ply + 1], names)
    if played.end is not None:
        yield words.finish(match, played)


def ask(words: Wording, state: Any, names: Names, fresh: bool = False) -> Iterator[str]:
    """Show a position to the player to move; the opening has just shown a fresh one's status."""
    status = "" if fresh else words.status(state, names)
    if status:
        yield status
    yield words.turn(state, names)


def runs(numbers: list[int]) -> str:
    """Write rising numbers, with runs of three or more drawn together.

    >>> runs([1, 2, 4, 5, 6, 9])
    '1, 2, 4 to 6, 9'
    """
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(
        f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in parts
    )


def short(text: str) -> str:
    """Cut very long numbers in a text down to their ends.

    >>> short("leaving " + "7" * 100)
    'leaving 77777777…77777777 (100 digits)'
    """
    if len(text) < LONG_NUMBER:
        return text

    def cut(found: re.Match[str]) -> str:
        digits = found[0]
        return f"{digits[:8]}…{digits[-8:]} ({len(digits)} digits)"

    return re.sub(rf"\d{{{LONG_NUMBER},}}", cut, text)


def _position(state: Any) -> str:
    """Show a state by the names of its fields."""
    lines = [
        f"{spoken(name).capitalize()}: {value}"
        for name, value in zip(state._fields, state, strict=True)
        if name != "player"
    ]
    return "\n".join(lines)
