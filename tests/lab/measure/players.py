"""Players for the tests: one whose answers are written down, and random ones of these."""

from collections.abc import Mapping
from random import Random
from typing import Any, get_args

from tests.naive import Naive
from zerosum.players.asked import Choice, FaultKind, PlayerFault
from zerosum.protocol import Game, Move

Reply = dict[Move, float] | PlayerFault


class Scripted:
    """A player whose answers are written down, and who lists the positions of the questions."""

    deterministic = True

    def __init__(self, replies: Mapping[Any, Reply], name: str = "scripted") -> None:
        self.name = name
        self.identity = name
        self.replies = replies
        self.questions: list[Any] = []

    def ask(self, state: Any, sample: int = 1, /) -> dict[Move, float]:
        if sample == 1:
            self.questions.append(state)
        reply = self.replies[state]
        if isinstance(reply, PlayerFault):
            raise reply
        return reply


def always(choose: Choice) -> Choice:
    """Let a function declare that it is deterministic."""
    choose.deterministic = True  # type: ignore[attr-defined]
    return choose


def any_player(
    game: Game[Any],
    seed: int,
    fault: float = 0.0,
    kinds: tuple[FaultKind, ...] = get_args(FaultKind),
) -> Scripted:
    """Return a player with random answers: one move, several with chances, or a fault."""
    rng = Random(seed)
    replies: dict[Any, Reply] = {}
    for state, moves in Naive(game).after.items():
        if rng.random() < fault:
            replies[state] = PlayerFault(rng.choice(kinds), "It does not know.")
        elif len(moves) > 1 and rng.random() < 0.5:
            first, second = rng.sample(list(moves), 2)
            replies[state] = {first: 0.25, second: 0.75}
        elif moves:
            replies[state] = {rng.choice(list(moves)): 1.0}
    return Scripted(replies)
