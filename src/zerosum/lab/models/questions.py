"""Questions about the decisions of a game, each with the exact regret of every legal move."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Struct

from zerosum.bulk.table import Table
from zerosum.documents import described, dumps, to_dict
from zerosum.lab.ids import hash_of, id_of, name_of
from zerosum.lab.measure.decisions import decisions_in
from zerosum.lab.measure.far import FAR_COUNT, ValuedDecision
from zerosum.lab.measure.measuring import table_for
from zerosum.lab.models.prompts import PROMPT_VERSION, USUAL, PromptOptions, prompt_of
from zerosum.limits import NONE, Limits
from zerosum.options import check_whole, option_values
from zerosum.protocol import Game
from zerosum.registry.fingerprint import fingerprint


class MoveRegret(Struct, frozen=True):
    """A legal move, and what it gives away."""

    move: Annotated[str, described("as it is typed")]
    regret: Annotated[int, described("in half points: 0 nothing, 2 a win for a loss")]


class Question(Struct, frozen=True, kw_only=True):
    """A decision as a question: the prompt, and what every answer is worth."""

    id: Annotated[str, described("the game, its options and the position")]
    game: Annotated[str, described("the game's name, or the path of its file")]
    options: Annotated[dict[str, Any], described("every option of the game, with its value")]
    rules_hash: Annotated[str, described("changes with the rules")]
    prompt_version: int
    prompt_hash: str
    prompt: str
    moves: Annotated[tuple[MoveRegret, ...], described("every legal move")]
    value: Annotated[Literal["win", "draw"], described("for the player to move")]
    plies: Annotated[int | None, described("moves to the end; null for a draw or if unknown")]
    difficulty: Annotated[float, described("the share of legal moves that are right")]
    stratum: Annotated[str, described("the group that the question was drawn from")]
    weight: Annotated[float, described("how many decisions it stands for")]


def questions_of(
    game: Game[Any] | Table[Any],
    *,
    count: int | None = None,
    seed: int = 0,
    options: PromptOptions = USUAL,
    limits: Limits = NONE,
    name: str = "",
) -> list[Question]:
    """Return questions about the decisions of a variant, or of a table: all, or `count` of them.

    The sample is stratified by difficulty and by phase, so that every kind is in it; the weights
    make up for it. A game that is too large for a table needs a theory; its questions are about
    positions of random games. The name of the game in the questions may be another path.

    >>> import zerosum
    >>> questions = questions_of(zerosum.game("dual-digits"), count=20)
    >>> len(questions), round(sum(question.weight for question in questions))
    (20, 103)
    """
    check_whole("seed", seed)
    if count is not None:
        check_whole("count", count, least=1)
    table = game
    if not isinstance(table, Table):
        table = table_for(table, limits, FAR_COUNT if count is None else count, seed)
    name = name or name_of(table.game)
    rules_hash = hash_of(fingerprint(table.game))
    return [
        _question(table.game, name, rules_hash, options, decision)
        for decision in decisions_in(table, count, seed)
    ]


def _question(
    game: Game[Any], name: str, rules_hash: str, options: PromptOptions, asked: ValuedDecision
) -> Question:
    """Write a decision as a question."""
    prompt = prompt_of(game, asked.state, options, asked.line or ())
    right = sum(regret == 0 for regret in asked.regrets.values())
    return Question(
        id=id_of(game, asked.state, name),
        game=name,
        options=option_values(game),
        rules_hash=rules_hash,
        prompt_version=PROMPT_VERSION,
        prompt_hash=hash_of(prompt),
        prompt=prompt,
        moves=tuple(MoveRegret(str(move), regret) for move, regret in asked.regrets.items()),
        value="win" if asked.value.result == "win" else "draw",
        plies=asked.value.plies,
        difficulty=right / len(asked.regrets),
        stratum=asked.stratum,
        weight=asked.weight,
    )


def to_line(question: Question) -> str:
    """Write a question as one line of JSON, which a terminal never obeys."""
    return dumps(to_dict(question), indent=None)
