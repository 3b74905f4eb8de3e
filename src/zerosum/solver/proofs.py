"""What is proved about the positions met so far: a graph of moves and two questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from zerosum.protocol import Result, S

# Does the player to move win (one move suffices), or lose (every move must)?
WIN, LOSS = 0, 1
FOREVER = 1 << 60
# The proof number of a question that a repetition answers, on the way at hand: others come first.
REPEATS = 1 << 40
# This many moves take the memory of a position.
EDGES = 16
# The depth of a position that will not be expanded.
LAST = 1 << 30


class ProofGraph(Generic[S]):
    """Positions by number, with known moves, and proof numbers for two questions.

    A question about position n has the number 2n + WIN or 2n + LOSS. Its proof number, 0 if it
    is answered yes, estimates the work to get there; its disproof number is 0 if the answer is
    no. A move is stored as 2n + 1 if it passes the turn to the other player, else as 2n, so that
    the question after the move is the bitwise difference of the move and the question before.

    An answer yes rests on games that end, so it holds whatever was played before. An answer no may
    rest on endless play: such answers are found by `close`.
    """

    def __init__(self) -> None:
        """Start without positions."""
        self.index: dict[S, int] = {}
        self.states: list[S] = []
        # For an ended game, its result; the moves are None until the position is expanded.
        self.ends: list[Result | None] = []
        self.moves: list[Sequence[int] | None] = []
        self.partial: set[int] = set()
        # Set during a change: after an interruption, the graph is of no use.
        self.torn = False
        self.has_loops = False
        self.edges = 0
        self.depth: list[int] = []
        self.width: list[int] = []
        self.before: list[list[int]] = []
        self.proof: list[int] = []
        self.disproof: list[int] = []
        # How many moves are in the way of an answer: yes to a loss, no to a win.
        self.left: list[int] = []

    def __len__(self) -> int:
        """Count the positions."""
        return len(self.states)

    @property
    def size(self) -> int:
        """How much memory it takes, in positions: moves count too, as some games have many."""
        return len(self.states) + self.edges // EDGES

    def add(self, state: S, end: Result | None, depth: int, width: int = 1) -> int:
        """Add a position with its result if the game is over, else its number of moves."""
        self.torn = True
        number = self.index[state] = len(self.states)
        self.states.append(state)
        self.ends.append(end)
        self.moves.append(None)
        self.depth.append(depth)
        self.width.append(width)
        self.before.append([])
        self.left += (0, 0)
        if end is None:
            # To deny a win, or to prove a loss, takes an answer to every move.
            self.proof += (1, width)
            self.disproof += (width, 1)
        else:
            answers = (end == "win", end == "loss")
            self.proof += [0 if yes else FOREVER for yes in answers]
            self.disproof += [FOREVER if yes else 0 for yes in answers]
        self.torn = False
        return number

    def expand(self, number: int, moves: Sequence[int], unlisted: bool = False) -> None:
        """Set the moves of a position, some perhaps unlisted, and draw the conclusions."""
        self.torn = True
        if unlisted:
            self.partial.add(number)
        self.moves[number] = moves
        proof, disproof = self.proof, self.disproof
        depth = self.depth[number]
        self.edges += len(moves)
        for move in moves:
            self.before[move >> 1].append(2 * number | move & 1)
            if self.depth[move >> 1] <= depth:
                self.has_loops = True
        win, loss = 2 * number + WIN, 2 * number + LOSS
        self.left[win] = sum(1 for move in moves if disproof[move ^ WIN]) + unlisted
        self.left[loss] = sum(1 for move in moves if proof[move ^ LOSS]) + unlisted
        answered = []
        if not all(proof[move ^ WIN] for move in moves):
            answered.append((win, True))
        elif not self.left[win]:
            answered.append((win, False))
        if not all(disproof[move ^ LOSS] for move in moves):
            answered.append((loss, False))
        elif not self.left[loss]:
            answered.append((loss, True))
        self._conclude(answered)
        self.torn = False

    def _conclude(self, answered: list[tuple[int, bool]]) -> None:
        """Answer questions, and everything that follows by way of the moves before them."""
        proof = self.proof
        disproof = self.disproof
        left = self.left
        for question, yes in answered:
            if not proof[question] or not disproof[question]:
                continue
            proof[question], disproof[question] = (0, FOREVER) if yes else (FOREVER, 0)
            if yes:
                answered.append((question ^ 1, False))
            kind = question & 1
            for move in self.before[question >> 1]:
                earlier = move ^ kind
                if not proof[earlier] or not disproof[earlier]:
                    continue
                # One yes suffices for a win, and one no against a loss; else all must agree.
                if yes == (earlier & 1 == WIN):
                    answered.append((earlier, yes))
                else:
                    left[earlier] -= 1
                    if not left[earlier]:
                        answered.append((earlier, yes))

    def close(self) -> None:
        """Answer no to every question that nothing can answer with yes.

        The positions that are not expanded count as hoped for, and hope is propagated as proofs
        are. Without hope, the other player can keep to expanded positions forever.
        """
        proof = self.proof
        disproof = self.disproof
        moves = self.moves
        hope = bytearray(len(proof))
        need = list(self.left)
        for number in self.partial:
            need[2 * number + LOSS] -= 1
        queue = [
            question
            for question in range(len(proof))
            if proof[question]
            and disproof[question]
            and (
                moves[question >> 1] is None
                or (question >> 1 in self.partial and (question & 1 == WIN or not need[question]))
            )
        ]
        for question in queue:
            hope[question] = 1
        for question in queue:
            kind = question & 1
            for move in self.before[question >> 1]:
                earlier = move ^ kind
                if hope[earlier] or not proof[earlier] or not disproof[earlier]:
                    continue
                if earlier & 1 == LOSS:
                    need[earlier] -= 1
                    if need[earlier]:
                        continue
                hope[earlier] = 1
                queue.append(earlier)
        self.torn = True
        self._conclude(
            [
                (question, False)
                for question, hoped in enumerate(hope)
                if not hoped and proof[question] and disproof[question]
            ]
        )
        self.torn = False
        # On another way, a repetition that is not answered by now may be none.
        for question, number in enumerate(proof):
            if number == REPEATS and disproof[question]:
                proof[question] = disproof[question] = 1

    def result(self, number: int) -> Result | None:
        """Return a position's value for the player to move, if proved."""
        if not self.proof[2 * number + WIN]:
            return "win"
        if not self.proof[2 * number + LOSS]:
            return "loss"
        no = not self.disproof[2 * number + WIN] and not self.disproof[2 * number + LOSS]
        return "draw" if no else None

    def is_open(self, question: int) -> bool:
        """Return whether a question is not answered yet."""
        return self.proof[question] != 0 and self.disproof[question] != 0

    def decided(self) -> ProofGraph[S]:
        """Return a graph of the positions with known values, without their moves."""
        kept: ProofGraph[S] = ProofGraph()
        for number, state in enumerate(self.states):
            result = self.result(number)
            if result is not None:
                kept.add(state, result, LAST)
        return kept
