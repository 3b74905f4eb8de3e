"""Advice on a position: a hint, how things stand, and the reason, in simple words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Generic

from zerosum.coach.phrases import LINE, Phrases, in_moves, verb
from zerosum.coach.verdicts import ALL, BAD, judge
from zerosum.errors import MatchError, TooLarge, Unknown
from zerosum.players.levels import MOST_TRAPS, hardest
from zerosum.players.searching import Node, favourite, searched
from zerosum.protocol import Move, Result, S, Value
from zerosum.solver.solution import Solution
from zerosum.solver.theory import ask_theory, theory_of
from zerosum.text import EQUAL, percent, short
from zerosum.wording.number_line import covers
from zerosum.wording.words import MOST_LISTED, Names, spoken, words_of

if TYPE_CHECKING:
    from zerosum.coach.laws.law import Law

STANDING: dict[Result, str] = {
    "win": "You can force a win{}.",
    "loss": "You lose{} if your opponent plays well.",
    "draw": "Neither side can force a win.",
}
ADVICE: dict[Result, str] = {
    "win": "Play {}. It wins{}.",
    "loss": "Every move loses. Try {}.",
    "draw": "Play {}. It keeps the draw.",
}
GLYPHS: dict[Result, str] = {"win": "+", "loss": "-", "draw": "="}
UNKNOWN = "?"
OVER = "The game is over."
CHANCES = "% = your chance of beating a medium player if you play perfectly from here"
PERFECT = "Against a medium opponent, the perfect level"
# The most moves with a line each.
MOST_LINES = 6
# The most groups of moves that a comparison names.
MOST_GROUPS = 3


class Coach(Generic[S]):
    """Advice for one variant; `typed` says whether moves are named by what is typed as well.

    >>> import zerosum
    >>> coach = Coach(zerosum.solve(zerosum.game("even-steven", start=16)))
    >>> coach.hint(coach.game.initial())
    'Play 1 (−1 → 15).'
    """

    def __init__(self, solution: Solution[S], typed: bool = True) -> None:
        """Advise by what is known about a variant, which may not be everything."""
        self.solution, self.game = solution, solution.game
        self.words = words_of(solution.game)
        self.phrases = Phrases(solution, typed)
        self.theory = theory_of(solution.game)
        self._searched: tuple[S, Node[S]] | None = None

    @cached_property
    def theory_statement(self) -> str:
        """The theory of the game in words, or an empty string."""
        return "" if self.theory is None else str(ask_theory(self.theory, "statement"))

    @cached_property
    def searched_law(self) -> Law | TooLarge | None:
        """The law in the table of a game without a theory; or why there is none."""
        if self.theory is not None:
            return None
        from zerosum.coach.laws.discovery import find_law

        try:
            return find_law(self.solution.whole())
        except TooLarge as error:
            return error

    @property
    def law(self) -> Law | None:
        """The law found, if one was."""
        return None if isinstance(self.searched_law, TooLarge) else self.searched_law

    @property
    def law_statement(self) -> str:
        """The law in words, and where it holds; or an empty string."""
        return "" if self.law is None else f"{self.law.statement} {self.law.reach}"

    @property
    def statement(self) -> str:
        """The theory in words, or else the law that was found; or an empty string."""
        return self.theory_statement or self.law_statement

    def best(self, state: S) -> Move:
        """Choose a best move: the likeliest to win, or else the hardest to answer.

        If the position is not exact, the move is one proved to be best; else it raises Unknown.
        """
        if self._is_over(state):
            raise MatchError(OVER)
        equal = self.solution.best(state)
        if not equal:
            raise Unknown(self.solution.unknown(state))
        if not self.solution.is_exact(state):
            return equal[0]
        chances = self.chances(state) if len(equal) > 1 else {}
        if chances:
            top = max(chances[move] for move in equal) - EQUAL
            equal = tuple(move for move in equal if chances[move] >= top)
        return hardest(self.solution, state, equal)

    def chances(self, state: S) -> dict[Move, float]:
        """Return the exact chance of the perfect level to beat medium after each move.

        It is {} in a won position, if moves differ in value, or if too much can follow.

        >>> import zerosum
        >>> coach = Coach(zerosum.solve(zerosum.game("dual-digits")))
        >>> {move: f"{chance:.0%}" for move, chance in coach.chances(coach.game.initial()).items()}
        {1: '60%', 2: '56%', 3: '56%', 4: '60%'}
        """
        solution = self.solution
        if not solution.is_exact(state) or solution.value(state).result == "win":
            return {}
        from zerosum.players.strength import chances_of  # which needs NumPy

        return chances_of(solution, state)

    def standing(self, state: S) -> str:
        """Describe the position for the player to move."""
        if self._is_over(state):
            return OVER
        value, exact = self.solution.find(state), self.solution.is_exact(state)
        if value is None:
            return self.solution.unknown(state)
        if value == Value("loss", 1):
            return "Every move loses."
        standing = STANDING[value.result].format(in_moves(value, exact))
        if value.result == "draw" and exact:
            end = "can go on forever" if value.endless else "is a draw"
            return f"{standing[:-1]}: with best play the game {end}."
        return standing

    def counts(self, state: S) -> str:
        """Say how moves are counted if the value of a position has several."""
        value = self.solution.find(state)
        if value is None or (value.plies or 0) < 2:
            return ""
        return f"A {spoken(value)} counts the moves of both players."

    def _is_over(self, state: S) -> bool:
        """Return whether the game is over at a position; refuse what is not one."""
        if self.solution.is_exact(state):
            self.solution.value(state)
        return self.game.outcome(state) is not None

    def hint(self, state: S) -> str:
        """Recommend a best move, or one of many if nothing is at stake, and compare those."""
        return f"{self.advised(state)} {self.comparison(state)}".rstrip()

    def advised(self, state: S) -> str:
        """Recommend a best move, or one of many if nothing is at stake."""
        if self._is_over(state):
            return OVER
        if not self.solution.is_exact(state):
            return self._partial_hint(state)
        move = self.best(state)
        judged = judge(self.solution, state)[move]
        name = self.phrases.named(state, move)
        if judged.verdict == "only":
            return f"Your only move is {name}."
        advice = f"Play {name}."
        if judged.verdict == "forced":
            result, how = self.solution.value(state).result, "Try"
            if len(self.solution.best(state)) < len(self.game.moves(state)):
                how = "The fastest is" if result == "win" else "The longest defence is"
            advice = f"Every move {result.replace('loss', 'lose')}s. {how} {name}."
        return advice

    def _partial_hint(self, state: S) -> str:
        """Recommend a move proved to be best, or say which moves are bad.

        If none is proved, say what the strongest level that plays by search would do.
        """
        values = self.solution.known_moves(state)
        best = self.solution.best(state, values)
        complete = self.game.lists_all(state)
        if complete and len(values) == 1:
            return f"Your only move is {self.phrases.named(state, next(iter(values)))}."
        if best and (value := values[best[0]]):
            name = self.phrases.named(state, best[0])
            return ADVICE[value.result].format(name, in_moves(value, exact=False))
        losing = [move for move, value in values.items() if value and value.result == "loss"]
        drawing = [move for move, value in values.items() if value and value.result == "draw"]
        others = [move for move in values if move not in losing]
        if complete and len(others) == 1:
            return f"Play {self.phrases.named(state, others[0])}. Every other move loses."
        known = (("lose", losing), ("draw", drawing))
        lines = [
            f"{self.phrases.listed(state, moves, 'and')} {verb(word, moves)}."
            for word, moves in known
            if moves
        ]
        if lines:
            lines.append("The other moves are still unknown.")
        chosen, *_ = self.expected_line(state)
        if chosen not in losing:
            lines.append(f"The hard level would play {self.phrases.named(state, chosen)}.")
        return " ".join(lines or [self.solution.unknown(state)])

    def expected(self, state: S) -> float:
        """Estimate, as the strongest level that plays by search does, what the mover will score."""
        return self._search(state).expected(state.player)

    def expectation(self, state: S) -> str:
        """Say what the strongest level that plays by search expects, which is an estimate."""
        share = percent(self.expected(state))
        return f"It expects you to score {share} from here: an estimate, not an exact value."

    def expected_line(self, state: S) -> list[Move]:
        """Return the moves that the strongest level that plays by search expects."""
        node, moves = self._search(state), list[Move]()
        while node.branches and len(moves) < LINE:
            move, node = favourite(node)
            moves.append(move)
        return moves

    def _search(self, state: S) -> Node[S]:
        """Search a position as the hard level does, once."""
        if self._searched is None or self._searched[0] != state:
            self._searched = state, searched(self.game, "hard", state, Random(0))  # noqa: S311
        return self._searched[1]

    def comparison(self, state: S, moves: Sequence[Move] = ()) -> str:
        """Tell moves of one value, usually the best, apart: by their chances and what they allow.

        >>> import zerosum
        >>> coach = Coach(zerosum.solve(zerosum.game("dual-digits")))
        >>> coach.comparison(coach.game.initial())
        'Against a medium opponent, the perfect level wins 60% of games after −1 or −4; \
56% after −2 or −3.'
        """
        chances = self.chances(state)
        if not chances or len(chances) == 1:
            return ""
        equal = moves or self.solution.best(state)
        if len(equal) == 1:
            return f"{PERFECT} then wins {percent(chances[equal[0]])} of games."
        by_percent: dict[str, list[Move]] = {}
        for move in sorted(equal, key=chances.__getitem__, reverse=True):
            by_percent.setdefault(percent(chances[move]), []).append(move)
        percents, given = list(by_percent), self._given_away(state, equal)
        if len(percents) == 1:
            each = f"{PERFECT} wins {percents[0]} of games after each."
            return " ".join((*[each] * (bool(moves) and percents != ["0%"]), *given))
        listed = self.phrases.listed
        parts = [f"{won} after {listed(state, by_percent[won], 'or')}" for won in percents]
        parts[0] = parts[0].replace(" after", " of games after", 1)
        if len(parts) > MOST_GROUPS:
            parts = [parts[0], f"{percents[-1]} to {percents[1]} after the others"]
        return " ".join((f"{PERFECT} wins {'; '.join(parts)}.", *given))

    def _given_away(self, state: S, moves: Sequence[Move]) -> Iterator[str]:
        """Name the moves, if not all, that let the opponent reach a number worth reaching."""
        goals = [mark for mark in self.words.marks() if mark.kind == "goal"]
        for goal in goals:
            giving = []
            for move in moves[:MOST_TRAPS]:
                after = self.game.play(state, move)
                passed = after.player != state.player
                replies = self.game.moves(after) if passed else ()
                numbers = (self.words.step(after, reply).number for reply in replies[:MOST_TRAPS])
                if any(number is not None and covers(goal, number) for number in numbers):
                    giving.append(move)
            if giving and len(giving) < len(moves) and goal.low is not None:
                number = f"{goal.low}" if goal.low == goal.high else goal.text
                given = f"{verb('let', giving)} your opponent reach {number} at once"
                yield f"{self.phrases.listed(state, giving, 'and')} {given}."

    def moves(self, state: S, plain: bool = False) -> list[str]:
        """List the legal moves, at most a hundred, with their values and verdicts.

        If there are many, those that are worth the same share a line.
        """
        judged = judge(self.solution, state)
        chances = {move: percent(chance) for move, chance in self.chances(state).items()}
        compared = len(set(chances.values())) > 1
        alike: dict[tuple[str, str, Move | None], list[Move]] = {}
        for move, (value, verdict, word) in list(judged.items())[:MOST_LISTED]:
            glyph = "Move" if plain else GLYPHS[value.result] if value else UNKNOWN
            obvious = verdict in (None, *BAD) or word in ALL.values()
            worth = spoken(value) if obvious else f"{spoken(value)}, {word}"
            if compared and move in chances:
                worth = f"{worth}, {chances[move]} chance against medium"
            key = (glyph, worth, None if len(judged) > MOST_LINES else move)
            alike.setdefault(key, []).append(move)
        lines = []
        for (sign, worth, only), same in alike.items():
            if only is None:
                name = self.phrases.listed(state, same)
            else:
                name = self.phrases.named(state, only)
            lines.append(f"{sign} {name}: {worth}")
        if len(judged) > MOST_LISTED:
            lines.append(f"and {len(judged) - MOST_LISTED} more")
        return lines + [CHANCES] * compared

    def why(self, state: S) -> list[str]:
        """Explain a position: how things stand, the reason, and a line of moves."""
        return [self.standing(state), *self.reasons(state)]

    def reasons(self, state: S) -> list[str]:
        """Return what the theory or the law says about a position, and a line of moves."""
        if not self.solution.is_exact(state) or self.game.outcome(state) is not None:
            return []
        result, plies, _ = self.solution.value(state)
        longest = result == "loss" and plies is not None
        opening = "The longest defence" if longest else "For example"
        example = f"{opening}: {self.phrases.line(state)}"
        if result == "draw":
            example = self._draw(state)
        return [line for line in (self.reason(state), example) if line]

    def reason(self, state: S) -> str:
        """Return the reason by the theory, or else by the law; or nothing."""
        known = "" if self.theory is None else short(ask_theory(self.theory, "why", state))
        return known or self.law_reason(state)

    def law_reason(self, state: S, names: Names | None = None) -> str:
        """Return the reason by the law, if any; without names, it addresses the mover."""
        if self.law is None or self.game.outcome(state) is not None:
            return ""
        from zerosum.coach.laws.sentences import why

        if self.solution.value(state).result == "loss":
            return why(self.law, state, None, "", names)
        move = self.best(state)
        after = self.game.play(state, move)
        left = None if self.game.outcome(after) is not None else after
        return why(self.law, state, left, self.words.step(state, move).text, names)

    def _draw(self, state: S) -> str:
        """List the moves that keep the draw, and show how another one loses."""
        values = self.solution.moves(state)
        keep = [move for move, value in values.items() if value.result == "draw"]
        lose = [move for move, value in values.items() if value.result == "loss"]
        if not lose:
            return ""
        kept = "These moves keep" if len(keep) > 1 else "Only one move keeps"
        text = f"{kept} the draw: {self.phrases.listed(state, keep)}."
        then = self.phrases.line(state, after=lose[0])
        return f"{text} If you play {self.phrases.named(state, lose[0])}, then {then}"
