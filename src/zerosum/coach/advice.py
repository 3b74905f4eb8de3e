"""What to play, and why, in words that a twelve-year-old follows."""

from __future__ import annotations

from typing import Generic

from zerosum.coach.review import judge
from zerosum.players.levels import hardest
from zerosum.protocol import Move, Outcome, Result, S
from zerosum.solver.solution import Solution
from zerosum.solver.theory import theory_of
from zerosum.text import short
from zerosum.wording import MOST_LISTED, Names, spoken, words_of

GLYPHS: dict[Result, str] = {"win": "+", "loss": "-", "draw": "="}
LINE = 6


class Coach(Generic[S]):
    """Advice for one variant.

    >>> import zerosum
    >>> coach = Coach(zerosum.solve(zerosum.game("even-steven", start=16)))
    >>> coach.hint(coach.game.initial())
    'Play 1: Subtract 1, leaving 15.'
    """

    def __init__(self, solution: Solution[S]) -> None:
        """Take the truth about a variant."""
        self.solution = solution
        self.game = solution.game
        self.words = words_of(solution.game)
        self.theory = theory_of(solution.game)

    @property
    def statement(self) -> str:
        """The law of the game in words, or nothing."""
        return "" if self.theory is None else self.theory.statement()

    def best(self, state: S) -> Move:
        """Choose one of the best moves: of equal ones, the hardest for the opponent to answer."""
        return hardest(self.solution, state, self.solution.best(state))

    def standing(self, state: S) -> str:
        """Say how the player to move stands."""
        value = self.solution.value(state)
        if self.game.outcome(state) is not None:
            return "The game is over."
        if value.result == "draw":
            if value.endless:
                return "Neither side can force a win, or the game to end without losing."
            return "Neither side can force a win: with best play the game is a draw."
        if value.plies is None:
            length = ""
        else:
            length = short(f" in {value.plies} {'move' if value.plies == 1 else 'moves'}")
        if value.result == "win":
            return f"You can force a win{length}."
        if value.plies == 1:
            return "Every move loses."
        return f"You lose{length} if your opponent plays well."

    def hint(self, state: S) -> str:
        """Name a best move, or say that there is no real choice."""
        if self.game.outcome(state) is not None:
            return "The game is over."
        move = self.best(state)
        judged = judge(self.solution, state)[move]
        named = self.named(state, move)
        if judged.verdict == "only":
            return f"Your only move is {named}."
        if judged.verdict != "forced":
            return f"Play {named}."
        every = {"win": "Every move wins", "loss": "Every move loses", "draw": "Every move draws"}
        result, how = judged.value.result, "Try"
        if len(self.solution.best(state)) < len(self.game.moves(state)):
            how = "The fastest is" if result == "win" else "The longest defence is"
        return f"{every[result]}. {how} {named}."

    def options(self, state: S, plain: bool = False) -> list[str]:
        """Show the value and the verdict beside every legal move, the first hundred of them."""
        judged = judge(self.solution, state)
        told = []
        for move, (value, verdict, word) in list(judged.items())[:MOST_LISTED]:
            sign = "Move" if plain else GLYPHS[value.result]
            said = f"{sign} {short(str(move))}: {spoken(value)}"
            told.append(said if verdict in ("mistake", "blunder") else f"{said}, {word}")
        if len(judged) > MOST_LISTED:
            told.append(f"and {len(judged) - MOST_LISTED} more")
        return told

    def why(self, state: S) -> list[str]:
        """Give the reason: how you stand, the law where there is one, and a concrete line."""
        if self.game.outcome(state) is not None:
            return ["The game is over."]
        return [line for line in (self.standing(state), *self.reasons(state)) if line]

    def reasons(self, state: S) -> list[str]:
        """Give the law for a position, where there is one, and a line of moves."""
        if self.game.outcome(state) is not None:
            return []
        law = "" if self.theory is None else short(self.theory.why(state))
        result = self.solution.value(state).result
        shown = {"win": self._win, "loss": self._loss, "draw": self._draw}[result](state)
        return [line for line in (law, shown) if line]

    def line(self, state: S, names: Names | None = None) -> str:
        """Tell how best play goes on; without names, to the player to move."""
        return self._told(state, self.solution.line(state, LINE), names, state.player)

    def after(self, state: S, move: Move, names: Names | None = None) -> str:
        """Tell how best play goes on after a move."""
        then = self.game.play(state, move)
        return self._told(then, self.solution.line(then, LINE), names, state.player)

    def named(self, state: S, move: Move) -> str:
        """Name a move by what is typed and by what it does."""
        return short(self.words.named(state, move))

    def _win(self, state: S) -> str:
        """Show how a win goes."""
        return f"For example: {self.line(state)}"

    def _loss(self, state: S) -> str:
        """Show the answer to every move, while there are few."""
        moves = self.game.moves(state)
        if len(moves) > 4:
            known = self.solution.value(state).plies is not None
            return f"{'The longest defence' if known else 'For example'}: {self.line(state)}"
        answers = []
        for move in moves:
            then = self.game.play(state, move)
            best = self.solution.best(then)
            if best and then.player == state.player:
                answer = f"it is your turn again, and you play {self.named(then, best[0])}"
            elif best:
                answer = f"your opponent answers {self.named(then, best[0])}"
            else:
                answer = "the game is over, and you have lost"
            answers.append(f"If you play {self.named(state, move)}, {answer}.")
        return " ".join(answers)

    def _draw(self, state: S) -> str:
        """Show what keeps the draw, and how something else would be punished."""
        values = self.solution.moves(state)
        keep = [move for move, value in values.items() if value.result == "draw"]
        lose = [move for move, value in values.items() if value.result == "loss"]
        if not lose:
            return ""
        text = "These moves keep the draw: " if len(keep) > 1 else "Only one move keeps the draw: "
        text += ", ".join(short(str(move)) for move in keep) + "."
        return f"{text} If you play {self.named(state, lose[0])}, then {self.after(state, lose[0])}"

    def _told(self, state: S, moves: tuple[Move, ...], names: Names | None, you: int) -> str:
        """Tell a line of moves; without names, to the seat `you`."""
        who = names or (("you", "they") if you == 0 else ("they", "you"))
        plays = "plays" if names else "play"
        parts = []
        for move in moves:
            parts.append(f"{who[state.player]} {plays} {self.named(state, move)}")
            state = self.game.play(state, move)
        outcome = self.game.outcome(state)
        if outcome is None:
            parts.append(f"and so on{self._goal(state, who, bool(names))}")
        else:
            result = _result(outcome, who, bool(names))
            parts.append(f"and {result}" if parts else result)
        return "; ".join(parts) + "."

    def _goal(self, state: S, who: Names, named: bool) -> str:
        """Say what a line that is not told to its end leads to."""
        value = self.solution.value(state)
        if value.result == "draw":
            return ", without an end" if value.endless else ", to a draw"
        winner = who[state.player if value.result == "win" else 1 - state.player]
        return f", until {winner} {'wins' if named else 'win'}"


def _result(outcome: Outcome, who: Names, named: bool) -> str:
    """Say how a line ends."""
    if outcome.winner is None:
        return "the game is drawn"
    return f"{who[outcome.winner]} {'has' if named else 'have'} won"
