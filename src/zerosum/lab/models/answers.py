"""Answers of a model: read from a file, and judged in the position that was asked about."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Meta, Struct

from zerosum.bulk.table import Table
from zerosum.documents import described, loads
from zerosum.errors import (
    DocumentError,
    IllegalMove,
    MissingExtra,
    NotSolved,
    UnreadableMove,
    ZerosumError,
)
from zerosum.lab.ids import read_id, read_position, runs_foreign_rules
from zerosum.lab.measure.interview import Answers, Reply
from zerosum.lab.measure.measurement import Spending
from zerosum.players.asked import FaultKind
from zerosum.protocol import Game, Move, check_move, read_move
from zerosum.text import brief
from zerosum.wording.texts import read_answer
from zerosum.wording.words import title_of

T = TypeVar("T")
# How the names of Inspect's logs end.
LOGS = (".eval", ".json")
# What was spent is neither less than nothing nor infinite, and neither is a sum of such amounts.
Amount = Annotated[float, Meta(ge=0, le=1e15)]
FORM = '{"id": "…", "text": "…"} or {"id": "…", "move": …}'


class ModelAnswer(Struct, frozen=True, kw_only=True):
    """An answer to a question, as any harness may write it; other keys are ignored.

    `fault` is for what the text does not show: why it is not the model's whole answer.
    """

    id: Annotated[str, described("of the question")]
    text: Annotated[str | None, described("all that the model said")] = None
    move: Annotated[int | str | None, described("what was read in it; it counts")] = None
    fault: Literal["cut-off", "refused", "late"] | None = None
    tokens: Annotated[
        Annotated[int, Meta(ge=0, le=10**15)] | None, described("that the model wrote")
    ] = None
    seconds: Amount | None = None
    cost: Amount | None = None
    prompt_version: int | None = None
    prompt_hash: str | None = None


class VariantAnswers(NamedTuple):
    """The answers about a variant by position, several of which are samples of it."""

    game: Game[Any]
    answers: dict[Any, list[ModelAnswer]]


@dataclass(frozen=True)
class AnswerFile:
    """The answers in a file, who gave them, and what there is to say about the file."""

    path: str
    name: str
    answers: tuple[ModelAnswer, ...]
    notes: tuple[str, ...] = ()

    @cached_property
    def variants(self) -> list[VariantAnswers]:
        """The answers by the variant and the position that their ids name."""
        variants: dict[str, VariantAnswers] = {}
        for answer in self.answers:
            head = answer.id.partition("#")[0]
            if head not in variants:
                if runs_foreign_rules(answer.id):  # a file of answers is data
                    raise ZerosumError(
                        f"{brief(self.path, 200)} is about the game in {brief(head, 200)}. Rules "
                        "are a program: if you trust this one, name the game in the command too."
                    )
                variants[head] = VariantAnswers(read_id(answer.id).game, {})
            game, answers = variants[head]
            answers.setdefault(read_position(game, answer.id), []).append(answer)
        return list(variants.values())

    def about(self, game: Game[Any]) -> list[VariantAnswers]:
        """Return the answers about a variant, which ids may name in several ways."""
        return [variant for variant in self.variants if variant.game == game]


class ReadAnswer(NamedTuple):
    """What was read in an answer: a legal move, or a fault and why."""

    move: Move | None = None
    fault: FaultKind | None = None
    reason: str = ""


# What is said about an answer that is not whole.
REASONS: dict[FaultKind, str] = {
    "cut-off": "The answer was cut off.",
    "refused": "The answer was refused.",
    "late": "No answer came in time.",
}


def judge(game: Game[Any], state: Any, answer: ModelAnswer) -> ReadAnswer:
    r"""Read an answer in its position; nothing is guessed from prose.

    >>> import zerosum
    >>> game = zerosum.game("dual-digits")
    >>> judge(game, game.initial(), ModelAnswer(id="", text="I take two.\nMOVE: 2"))
    ReadAnswer(move=2, fault=None, reason='')
    >>> judge(game, game.initial(), ModelAnswer(id="", move=9)).fault
    'illegal'
    """
    if answer.fault is not None:
        return ReadAnswer(fault=answer.fault, reason=REASONS[answer.fault])
    try:
        if answer.move is None:
            return ReadAnswer(read_answer(game, state, answer.text or ""))
        return ReadAnswer(check_move(game, state, read_move(game, state, str(answer.move))))
    except UnreadableMove as error:
        return ReadAnswer(fault="unreadable", reason=str(error))
    except IllegalMove as error:
        return ReadAnswer(fault="illegal", reason=str(error))


def read_answers(path: str) -> AnswerFile:
    """Read answers: of any harness, a JSON line each, or those in a log of Inspect."""
    if not path.endswith(LOGS):
        return AnswerFile(path, path, tuple(_lines(path)))
    if not os.path.isfile(path):
        raise ZerosumError(f"There is no file {brief(path, 200)}.")
    try:
        from zerosum.lab.models.inspect.logs import read_log
    except ImportError as error:
        raise MissingExtra("Reading a log of Inspect", "inspect") from error
    return read_log(path)


def json_lines(path: str, kind: type[T], form: str) -> Iterator[tuple[str, T]]:
    """Read a file with a structure in each line; say where each was, and what is wrong with one."""
    shown, found = brief(path, 200), 0
    try:
        with open(path, encoding="utf-8-sig") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    found += 1
                    where = f"Line {number:,} of {shown}"
                    yield where, _read(line, kind, where, form)
    except FileNotFoundError as error:
        raise ZerosumError(f"There is no file {shown}.") from error
    except OSError as error:
        raise ZerosumError(f"{shown} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise ZerosumError(f"{shown} is not a file of text in UTF-8.") from error
    if not found:
        raise ZerosumError(f"{shown} is empty. It needs lines such as {form}.")


def _read(line: str, kind: type[T], where: str, form: str) -> T:
    """Read a line, or say what is wrong with it."""
    try:
        return msgspec.convert(loads(line), kind)
    except DocumentError as error:
        half = "" if line.endswith("\n") else " Was the file written to its end?"
        raise DocumentError(f"{where}: {error}{half}") from error
    except msgspec.ValidationError as error:
        reason = str(error).replace("`", "'")
        raise DocumentError(f"{where} is not of the form {form}: {reason}.") from error


def _lines(path: str) -> Iterator[ModelAnswer]:
    """Read a file with a JSON line for each answer."""
    for where, answer in json_lines(path, ModelAnswer, FORM):
        if answer.text is None and answer.move is None and answer.fault is None:
            raise DocumentError(
                f'{where} has neither "text" nor "move". An empty text counts as unreadable; '
                "leave out questions that were not answered."
            )
        yield answer


def answers_in(table: Table[Any], file: AnswerFile) -> Answers:
    """Return a model's answers as the chances of a table's edges.

    `known` is true where there is an answer or no choice, `chances` has the share of the answers
    that chose an edge, `lost` that of the faulty ones, and `samples` how many answers there are.
    """
    about = file.about(table.game)
    if not about:
        title = title_of(table.game)
        raise ZerosumError(f"{brief(file.path, 200)} has no answers about this {title}.")
    answers = Answers(table)
    for variant in about:
        for state, given in variant.answers.items():
            try:
                index = table.index_of(state)
            except NotSolved as error:
                raise ZerosumError(f"'{brief(given[0].id, 120)}': {error}") from error
            answers.take(index, list(replies(table.game, state, given)))
    return answers


def replies(game: Game[Any], state: Any, given: Iterable[ModelAnswer]) -> Iterator[Reply]:
    """Return answers about a position as they are measured; a model may draw its moves."""
    for answer in given:
        move, fault, reason = judge(game, state, answer)
        moves = () if move is None else ((move, 1.0),)
        told = "" if answer.move is None else str(answer.move)
        said = told if answer.text is None else answer.text
        spent = Spending(answer.tokens, answer.seconds, answer.cost)
        prompt = answer.prompt_hash or ""
        yield Reply("drawn", moves, fault, reason, said, prompt, spent)
