"""Rows of figures: one of JSON for each answer, one of a spreadsheet for each measurement."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

import numpy as np
from msgspec import Struct

from zerosum.documents import described, dumps, to_dict
from zerosum.lab.cells import csv_of
from zerosum.lab.ids import id_of
from zerosum.lab.measure.interview import Answers, Reply, played
from zerosum.lab.measure.measurement import Measurement, Plays
from zerosum.lab.measure.sampling import Figure
from zerosum.players.asked import FAULT_KINDS, FaultKind
from zerosum.players.levels import LEVELS
from zerosum.protocol import Move

Cell = str | int | float | None


class AnswerRow(Struct, frozen=True, kw_only=True):
    """An answer to a question about a position, or what a level would play there."""

    id: Annotated[str, described("of the question: the game, its options and the position")]
    player: str
    sample: Annotated[int, described("counts the answers of the player to this question")]
    decision: Annotated[bool, described("whether some move throws away a result")]
    prompt_hash: Annotated[str | None, described("of what a model was told; null for others")]
    answer: Annotated[str | None, described("as it was given; null if nothing was asked")]
    move: Annotated[Move | None, described("null if it is faulty, or if it has several")]
    moves: Plays
    fault: FaultKind | None
    message: Annotated[str, described("what is wrong with a faulty answer")]
    regret: Annotated[float, described("what it throws away in the mean, in half points")]
    right: Annotated[float, described("the chance of its moves that keep the result")]
    tokens: int | None
    seconds: Annotated[float | None, described("null if nobody took the time of this answer")]
    cost: float | None


def rows_of(answers: Answers, player: str) -> Iterator[AnswerRow]:
    """Return a row for every answer, in the order of the table; of a level, for every decision.

    >>> import zerosum
    >>> from zerosum.bulk import Table
    >>> from zerosum.lab.measure.measuring import measured_answers
    >>> found = measured_answers(Table(zerosum.game("dual-digits", start=9)), "easy")
    >>> row = next(rows_of(found.answers, "easy"))
    >>> row.id, row.move, round(row.regret, 2)
    ('dual-digits?start=9#[9,0,0]', None, 0.5)
    """
    table = answers.table
    asked = sorted(answers.given)
    if not asked:
        asked = np.flatnonzero(table.critical & answers.known).tolist()
    for index in asked:
        usual = Reply(
            "chances", tuple((part.move, part.chance) for part in answers.moves_at(index))
        )
        for number, reply in enumerate(answers.given.get(index, [usual]), 1):
            yield _row(answers, player, index, number, reply)


def _row(answers: Answers, player: str, index: int, sample: int, reply: Reply) -> AnswerRow:
    """Return the row of an answer."""
    table, game = answers.table, answers.table.game
    begin, end = table.offsets[index : index + 2].tolist()
    regrets = dict(zip(table.moves_of(index), table.regret[begin:end].tolist(), strict=True))
    spent, faulty = reply.spent, reply.kind is not None
    lost = int(table.value[index]) + 1  # a fault throws away all that there is
    regret = sum(chance * regrets[move] for move, chance in reply.moves)
    right = sum(chance for move, chance in reply.moves if not regrets[move])
    return AnswerRow(
        id=id_of(game, table.state(index)),
        player=player,
        sample=sample,
        decision=bool(table.critical[index]),
        prompt_hash=reply.prompt_hash or None,
        answer=reply.said if answers.given else None,
        move=reply.moves[0][0] if len(reply.moves) == 1 else None,
        moves=played(reply.moves),
        fault=reply.kind,
        message=reply.message,
        regret=lost if faulty else regret,
        right=0.0 if faulty else right,
        tokens=spent.tokens if spent else None,
        seconds=spent.seconds if spent else None,
        cost=spent.cost if spent else None,
    )


def row_line(row: AnswerRow) -> str:
    """Write a row as one line of JSON, which a terminal never obeys."""
    return dumps(to_dict(row), indent=None)


def to_csv(measured: Sequence[Measurement]) -> str:
    """Write measurements as CSV, with a head; an unknown figure is empty.

    >>> import csv, zerosum
    >>> from zerosum.lab.measure import measure_player
    >>> text = to_csv([measure_player(zerosum.game("dual-digits"), "easy")])
    >>> [row["slips_low"] for row in csv.DictReader(text.splitlines())]
    ['0.5']
    """
    rows = [_cells(found) for found in measured]
    columns = [*dict.fromkeys(column for row in rows for column in row)]
    return csv_of(columns, rows)


def _cells(found: Measurement) -> Mapping[str, Cell]:
    """Return what the row of a measurement has in each column."""
    row: dict[str, Cell] = {
        "game": found.game,
        "options": json.dumps(found.options),
        "title": found.title,
        "player": found.player,
        "exact": str(found.exact).lower(),
        "answers": found.answers,
        "samples": found.samples,
        "decisions": found.decisions,
        "asked": found.asked,
        **_figure("right", found.good),
        "random": found.random,
        **_figure("regret", found.regret),
        "random_regret": found.random_regret,
        **_figure("slips", found.slips),
    }
    scores = {score.level: score for score in found.scores or ()}
    for level in LEVELS:
        score = scores.get(level)
        row |= _figure(f"score_{level}", score.figures[-1] if score else None)
    for level in LEVELS:
        score = scores.get(level)
        row |= _figure(f"game_regret_{level}", score.regret if score else None)
    row["exploitability"] = found.worst.exploitability if found.worst else None
    row |= {kind.replace("-", "_"): found.faults[kind] for kind in FAULT_KINDS}
    row |= {f"{name}_version": version for name, version in found.versions.items()}
    hashes = found.hashes
    return row | {"rules": hashes.rules, "table": hashes.table, "prompt": hashes.prompt}


def _figure(name: str, figure: Figure | None) -> dict[str, Cell]:
    """Return the cells of a figure and its interval."""
    ends = (figure.value, figure.low, figure.high) if figure else (None, None, None)
    return dict(zip((name, f"{name}_low", f"{name}_high"), ends, strict=True))
