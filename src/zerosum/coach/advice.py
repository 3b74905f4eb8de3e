"""What to play, and why, in words that a twelve-year-old follows."""

from __future__ import annotations

from typing import Any

from zerosum.game import Game, Value
from zerosum.players.levels import perfect
from zerosum.solve.solution import Solution
from zerosum.solve.solver import theory_of
from zerosum.wording import MOST_LISTED, Wording, short

GLYPHS = {"win": "+", "loss": "-", "draw": "="}
LINE = 6


def spoken(value: Value) -> str:
    """Say a value: its result, and in how many moves.

    >>> spoken(Value("win", 7)), spoken(Value("draw", None)), spoken(Value("loss", None))
    ('win in 7', 'draw (endless)', 'loss (length unknown)')
    """
    if value.result == "draw":
        return "draw (endless)"
    if value.plies is None:
        return f"{value.result} (length unknown)"
    return short(f"{value.result} in {value.plies}")


def after(value: Value) -> str:
    """Say the value that a move leads to: how long the game lasts after it."""
    if value.plies == 0:
        return "wins at once" if value.result == "win" else "loses at once"
    return spoken(value)


def from_now(value: Value) -> Value:
    """Count the move itself, so that the best one takes as long as the position."""
    return Value(value.result, None if value.plies is None else value.plies + 1)


def praise(solution: Solution, state: Any) -> str:
    """Say what the best moves are; where lengths are unknown, no more than that they keep."""
    values = solution.moves(state)
    known = all(values[move].plies is not None for move in solution.best(state))
    return "best" if known or solution.value(state).result == "draw" else "keeps the result"


class Coach:
    """Advice for one variant.

    >>> import zerosum
    >>> coach = Coach(zerosum.solve(zerosum.game("even-steven")))
    >>> coach.hint(coach.game.play(coach.game.initial(), 1))
    'Play 2: divide by 2, leaving 7.'
    """

    def __init__(self, solution: Solution) -> None:
        """Take the truth about a variant."""
        self.solution = solution
        self.game: Game[Any] = solution.game
        self.words = Wording(solution.game)
        self.theory = theory_of(solution.game)

    @property
    def law(self) -> str:
        """The law of the game in words, or nothing."""
        say = getattr(self.theory, "law", None)
        return "" if say is None else str(say(self.game))

    def standing(self, state: Any) -> str:
        """Say how the player to move stands."""
        value = self.solution.value(state)
        if value.result == "draw":
            return "Neither side can force a win from here: with best play the game is endless."
        if value.plies is None:
            length = ""
        else:
            length = short(f" in {value.plies} {'move' if value.plies == 1 else 'moves'}")
        if value.result == "win":
            return f"You can force a win{length}."
        if value.plies == 1:
            return "You lose with this move, whichever it is."
        return f"You lose{length} if your opponent plays well."

    def hint(self, state: Any) -> str:
        """Name one good move; where no move wins, the one that is hardest to answer."""
        if self.game.outcome(state) is not None:
            return "The game is over."
        move = f"Play {self._named(state, perfect(self.solution, state))}."
        if self.solution.value(state).result == "loss":
            return f"{move} You are losing, and this is the hardest to answer."
        return move

    def options(self, state: Any, plain: bool = False) -> list[str]:
        """Show the value and length beside every legal move, the first hundred of them."""
        best, values = self.solution.best(state), self.solution.moves(state)
        kind = praise(self.solution, state)
        told = []
        for move, value in list(values.items())[:MOST_LISTED]:
            sign = "Move" if plain else GLYPHS[value.result]
            said = f"{sign} {short(str(move))}: {spoken(from_now(value))}"
            told.append(f"{said}, {kind}" if move in best else said)
        if len(values) > MOST_LISTED:
            told.append(f"and {len(values) - MOST_LISTED} more")
        return told

    def why(self, state: Any) -> list[str]:
        """Give the reason: how you stand, the law where there is one, and a concrete line."""
        if self.game.outcome(state) is not None:
            return ["The game is over."]
        lines = [self.standing(state)]
        say = getattr(self.theory, "why", None)
        if say is not None:
            lines.append(short(str(say(self.game, state))))
        result = self.solution.value(state).result
        lines.append({"win": self._win, "loss": self._loss, "draw": self._draw}[result](state))
        return [line for line in lines if line]

    def _win(self, state: Any) -> str:
        """Show how a win goes."""
        return f"For example: {self._told(state, self.solution.line(state, LINE))}"

    def _loss(self, state: Any) -> str:
        """Show the answer to every move, while there are few."""
        moves = self.game.moves(state)
        if len(moves) > 4:
            return f"The longest resistance: {self._told(state, self.solution.line(state, LINE))}"
        answers = []
        for move in moves:
            then = self.game.play(state, move)
            best = self.solution.best(then)
            if best and then.player == state.player:
                answer = f"it is your turn again, and the best is {self._named(then, best[0])}"
            elif best:
                answer = f"your opponent answers {self._named(then, best[0])}"
            else:
                answer = "the game is over, and you have lost"
            answers.append(f"If you play {self._named(state, move)}, {answer}.")
        return " ".join(answers)

    def _draw(self, state: Any) -> str:
        """Show what keeps the draw, and how something else would be punished."""
        values = self.solution.moves(state)
        keep = [move for move, value in values.items() if value.result == "draw"]
        lose = [move for move, value in values.items() if value.result == "loss"]
        text = f"{'These keep' if len(keep) > 1 else 'Only this keeps'} the balance: "
        text += ", ".join(short(str(move)) for move in keep) + "."
        if lose:
            then = self.game.play(state, lose[0])
            line = self._told(then, self.solution.line(then, LINE), other=True)
            text += f" But if you play {self._named(state, lose[0])}: {line}"
        return text

    def punished(self, state: Any, move: int) -> str:
        """Show what a move has let the opponent do."""
        then = self.game.play(state, move)
        line = self._told(then, self.solution.line(then, LINE), other=then.player != state.player)
        return f"After {self._named(state, move)}: {line}"

    def _named(self, state: Any, move: int) -> str:
        """Name a move by its number and what it does."""
        label = self.words.label(state, move)
        return short(f"{move}: {label[:1].lower()}{label[1:]}")

    def _told(self, state: Any, moves: tuple[int, ...], other: bool = False) -> str:
        """Tell a line of moves; `other` if your opponent makes the first of them."""
        you = state.player ^ other
        parts = []
        for move in moves:
            who = "you play" if state.player == you else "they play"
            parts.append(f"{who} {self._named(state, move)}")
            state = self.game.play(state, move)
        outcome = self.game.outcome(state)
        if outcome is None:
            value = self.solution.value(state)
            mine = value.result == ("win" if state.player == you else "loss")
            if value.result == "draw":
                parts.append("and so on, without an end")
            else:
                parts.append(f"and so on, until {'you' if mine else 'they'} win")
        else:
            parts.append("and you have won" if outcome.winner == you else "and they have won")
        return "; ".join(parts) + "."
