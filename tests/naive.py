"""The slow solver that the real one is compared with: dictionaries, loops and exact fractions.

It uses nothing of the package but the protocol and how often each level slips.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

from zerosum.players.levels import LEVELS, SLIPS
from zerosum.protocol import Game, Move, Value

State = Any  # a named tuple with the player to move
Steps = dict[State, dict[State, Fraction]]
Policy = Callable[[str, State], Mapping[Move, float | Fraction]]
Policies = dict[str, dict[State, dict[Move, Fraction]]]  # by level
FLIP: dict[str, Any] = {"win": "loss", "loss": "win", "draw": "draw"}
RANK = {"win": 2, "draw": 1, "loss": 0}


class Naive:
    """Everything that follows from the rules of a game, from its start or from other states."""

    def __init__(self, game: Game[Any], roots: Iterable[State] = ()) -> None:
        self.game = game
        self.roots = list(roots) or [game.initial()]

    @cached_property
    def after(self) -> dict[State, dict[Move, State]]:
        """Every reachable state with its moves and the states they lead to."""
        found: dict[State, dict[Move, State]] = {}
        ahead = list(self.roots)
        while ahead:
            state = ahead.pop()
            if state not in found:
                found[state] = {m: self.game.play(state, m) for m in self.game.moves(state)}
                ahead += found[state].values()
        return found

    @cached_property
    def ends(self) -> dict[State, int | None]:
        """The states where the game is over, with the winner."""
        outcomes = {state: self.game.outcome(state) for state in self.after}
        return {state: outcome.winner for state, outcome in outcomes.items() if outcome}

    @cached_property
    def values(self) -> dict[State, Value]:
        """The value of every state for the player to move."""
        won, ended = self._won, self._ended
        return {
            state: Value("win" if won[state][0] == state.player else "loss", won[state][1])
            if state in won
            else Value("draw", endless=state not in ended)
            for state in self.after
        }

    @cached_property
    def _won(self) -> dict[State, tuple[int, int]]:
        """The states that are not drawn, with the winner and the plies until then."""
        before: dict[State, list[State]] = {state: [] for state in self.after}
        for state, moves in self.after.items():
            for then in moves.values():
                before[then].append(state)
        # The first child that is won is the quickest win, the last that is lost the slowest loss.
        won = {state: (winner, 0) for state, winner in self.ends.items() if winner is not None}
        left = {state: len(moves) for state, moves in self.after.items()}
        queue = deque(won)
        while queue:
            state = queue.popleft()
            winner, plies = won[state]
            for parent in before[state]:
                left[parent] -= 1
                if parent not in won and (winner == parent.player or not left[parent]):
                    won[parent] = winner, plies + 1
                    queue.append(parent)
        return won

    @cached_property
    def _ended(self) -> set[State]:
        """The draws that one of the players can bring to an end, if nobody leaves the draw."""
        keeping = {
            state: [then for then in moves.values() if then not in self._won]
            for state, moves in self.after.items()
            if state not in self._won
        }
        found: set[State] = set()
        for player in (0, 1):
            forced: set[State] = set()
            more = {state for state, winner in self.ends.items() if winner is None}
            while more:
                forced |= more
                more = {
                    state
                    for state, thens in keeping.items()
                    if state not in forced
                    and (any if state.player == player else all)(then in forced for then in thens)
                }
            found |= forced
        return found

    def moves(self, state: State) -> dict[Move, Value]:
        """The value of every move for the player who makes it; the move itself is counted."""
        found = {}
        for move, after in self.after[state].items():
            result, plies, endless = self.values[after]
            mine = result if after.player == state.player else FLIP[result]
            found[move] = Value(mine, None if plies is None else plies + 1, endless)
        return found

    def best(self, state: State) -> tuple[Move, ...]:
        """The moves that keep the result and win soonest or lose latest."""

        def worth(value: Value) -> tuple[int, int]:
            plies = value.plies or 0
            return RANK[value.result], -plies if value.result == "win" else plies

        values = self.moves(state)
        top = max(map(worth, values.values()), default=None)
        return tuple(move for move, value in values.items() if worth(value) == top)

    # The levels

    def trap(self, state: State, move: Move) -> Fraction:
        """The share of wrong replies to a move."""
        after = self.after[state][move]
        replies = self.moves(after).values()
        if not replies or after.player == state.player:
            return Fraction(0)
        rank = RANK[self.values[after].result]
        return Fraction(sum(RANK[reply.result] < rank for reply in replies), len(replies))

    def keeping(self, state: State) -> dict[Move, Value]:
        """The moves that give nothing away, with their values."""
        result = self.values[state].result
        return {m: value for m, value in self.moves(state).items() if value.result == result}

    def first_choice(self, state: State) -> Move:
        """The first best move where the game is won; else the best trap, then the longest game."""
        if self.values[state].result == "win":
            return self.best(state)[0]
        keeping = self.keeping(state)
        return max(keeping, key=lambda move: (self.trap(state, move), keeping[move].plies or 0))

    @cached_property
    def harmless(self) -> dict[State, list[Move]]:
        """The draws in which no move sets a trap, with the moves that keep the draw."""
        return {
            state: list(keeping)
            for state, moves in self.after.items()
            if moves and self.values[state].result == "draw"
            for keeping in [self.keeping(state)]
            if len(keeping) > 1 and not any(self.trap(state, move) for move in keeping)
        }

    @cached_property
    def perfect(self) -> dict[State, Move]:
        """What the perfect level plays: first choices, but in harmless draws what wins more."""
        chosen = {state: self.first_choice(state) for state, moves in self.after.items() if moves}
        while self.harmless:
            wins = [self.wins(seat, chosen) for seat in (0, 1)]
            better = {}
            for state, moves in self.harmless.items():
                scores = [wins[state.player][self.after[state][move]] for move in moves]
                now = scores[moves.index(chosen[state])]
                if max(scores) > now + 2e-9:
                    better[state] = moves[
                        next(i for i, x in enumerate(scores) if max(scores) - x <= 1e-9)
                    ]
            if not better:
                break
            chosen.update(better)
        return chosen

    def wins(self, seat: int, chosen: Mapping[State, Move]) -> dict[State, float]:
        """The chance of a seat to win by some choices against medium, improved until exact."""
        chances = {state: float(self.ends.get(state, -1) == seat) for state in self.after}
        steps = {
            state: [(moves[chosen[state]], 1.0)]
            if state.player == seat
            else [(moves[m], float(p)) for m, p in self.policy("medium", state).items()]
            for state, moves in self.after.items()
            if moves
        }
        change = 1.0
        while change > 1e-14:
            change = 0.0
            for state, leads in steps.items():
                new = sum(chance * chances[then] for then, chance in leads)
                change = max(change, new - chances[state])
                chances[state] = new
        return chances

    def policy(self, level: str, state: State) -> dict[Move, Fraction]:
        """The chances of the moves."""
        if level == "perfect":
            return {self.perfect[state]: Fraction(1)}
        slip = Fraction(str(SLIPS[level]))
        moves, best = self.after[state], self.best(state)
        return {
            move: slip / len(moves) + ((1 - slip) / len(best) if move in best else 0)
            for move in moves
            if slip or move in best
        }

    @cached_property
    def policies(self) -> Policies:
        """The chances of all moves in all states, by level."""
        return self._policies(self.policy)

    def follow(self, policy: Policy) -> None:
        """Let the levels play by other policies, for `chances`."""
        self.policies = self._policies(policy)

    def _policies(
        self, policy: Callable[[str, State], Mapping[Move, float | Fraction]]
    ) -> Policies:
        inner = [state for state, moves in self.after.items() if moves]
        return {
            level: {s: {m: Fraction(p) for m, p in policy(level, s).items()} for s in inner}
            for level in LEVELS
        }

    def chances(self, pair: tuple[str, str]) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        """The chances that the first wins, the second wins, it is drawn, or it never ends."""
        (start,) = self.roots
        steps = self.steps(start, pair)
        live = _reaching(steps, [state for state in steps if not steps[state]])
        if start not in live:
            return Fraction(0), Fraction(0), Fraction(0), Fraction(1)
        # One equation a state: its worth is the worth of those after it, at their chances. Each
        # state in turn is put into all that lead to it, the start at last.
        rows = {s: {t: p for t, p in steps[s].items() if t in live} for s in live}
        order = sorted((state for state in live if rows[state]), key=lambda state: state == start)
        for state in order:
            stay = rows[state].pop(state, Fraction(0))
            row = rows[state] = {t: p / (1 - stay) for t, p in rows[state].items()}
            for other in order:
                if other != state and (weight := rows[other].pop(state, None)):
                    for after, chance in row.items():
                        rows[other][after] = rows[other].get(after, Fraction(0)) + weight * chance
        row = rows[start] if order else {start: Fraction(1)}
        first, second, drawn = (
            sum((p for state, p in row.items() if self.ends[state] == winner), Fraction(0))
            for winner in (0, 1, None)
        )
        return first, second, drawn, 1 - first - second - drawn

    def steps(self, start: State, pair: tuple[str, str]) -> Steps:
        """The chances of going from each state that a pair of levels can reach to the next."""
        steps: Steps = {}
        ahead = [start]
        while ahead:
            state = ahead.pop()
            if state in steps:
                continue
            steps[state] = {}
            if self.after[state]:
                for move, chance in self.policies[pair[state.player]][state].items():
                    after = self.after[state][move]
                    steps[state][after] = steps[state].get(after, Fraction(0)) + chance
                ahead += steps[state]
        return steps


def _reaching(steps: Steps, goals: list[State]) -> set[State]:
    """The states from which at least one of the goals can be reached."""
    found = set(goals)
    while True:
        more = {s for s, row in steps.items() if s not in found and not found.isdisjoint(row)}
        if not more:
            return found
        found |= more
