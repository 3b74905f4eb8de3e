"""Moves and lines of play inside a sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Generic

from zerosum.protocol import Move, S, Value
from zerosum.solver.solution import Solution
from zerosum.text import counted, does, inside, runs, short
from zerosum.wording.words import Names, words_of

# The most moves of a line that is written out.
LINE = 6


class Phrases(Generic[S]):
    """What a coach calls moves, lines and players."""

    def __init__(self, solution: Solution[S], typed: bool = True) -> None:
        """Name moves by what they do; if `typed`, after what is typed."""
        self.solution, self.game, self.typed = solution, solution.game, typed
        self.words = words_of(solution.game)

    def line(
        self, state: S, names: Names | None = None, after: Move | None = None, most: int = LINE
    ) -> str:
        """Write out best play, or what follows a move; without names, for the mover."""
        who = (inside(names[0]), inside(names[1])) if names else self.you(state)
        state = state if after is None else self.game.play(state, after)
        parts, last = [], ""
        for move in self.solution.line(state, most):
            last = who[state.player]
            parts.append(f"{does(last, 'plays')} {self.words.button(state, move)}")
            state = self.game.play(state, move)
        end = self.end_of(state, who).removeprefix(f"{last} ")
        return f"{'; '.join(parts)}, and {end}." if parts else f"{end}."

    def you(self, state: S) -> Names:
        """Return what a coach who speaks to the mover calls the players."""
        return ("they", "you") if state.player else ("you", "they")

    def named(self, state: S, move: Move) -> str:
        """Name a move by what it does; for a keyboard, after what is typed."""
        text, typed = self.words.button(state, move), short(str(move))
        return f"{typed} ({text})" if self.typed and text != typed else text

    def listed(self, state: S, moves: Sequence[Move], last_word: str = "") -> str:
        """List moves by what they do, numbers in ascending order.

        >>> import zerosum
        >>> phrases = Phrases(zerosum.solve(zerosum.game("digit-battle", lives=3)))
        >>> phrases.listed(phrases.game.initial(), (9, 3, 1, 2), "and")
        '+1 to +3 and +9'
        """
        in_order = sorted(moves, key=lambda move: (isinstance(move, str), move))
        texts = [self.words.step(state, move).text for move in in_order]
        before = texts[0].removesuffix(str(in_order[0]))
        if texts == [f"{before}{move}" for move in in_order]:
            return short(re.sub(r"\d+", rf"{before}\g<0>", runs(in_order, last_word)))
        return short(runs(texts, last_word))

    def end_of(self, state: S, who: Names) -> str:
        """Describe how a line ends, or what an unfinished one leads to."""
        outcome = self.game.outcome(state)
        if outcome is not None:
            winner = outcome.winner
            return "the game is drawn" if winner is None else does(who[winner], "wins")
        value = self.solution.value(state)
        if value.result == "draw":
            return "so on, forever" if value.endless else "so on, to a draw"
        winner = state.player if value.result == "win" else 1 - state.player
        return f"so on, until {does(who[winner], 'wins')}"


def in_moves(value: Value, exact: bool) -> str:
    """Say how long a win or a loss takes, or that it is unknown."""
    if value.plies is not None:
        return short(f" in {counted(value.plies, 'move')}")
    if value.result == "win" and not exact:
        return ", in an unknown number of moves"
    return ""


def verb(word: str, moves: Sequence[Move]) -> str:
    """Return a verb for one move or several."""
    return word if len(moves) > 1 else f"{word}s"
