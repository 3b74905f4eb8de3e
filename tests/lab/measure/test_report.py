"""Reports of measurements: their sentences, and pictures in which everything drawn is said."""

import csv
import json
from collections.abc import Callable
from functools import cache
from io import StringIO
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest

import zerosum
from tests.figures import strange_numbers
from tests.games import Hotseat, WildRow
from tests.lab.measure.players import always, any_player
from tests.pictures.test_map import SVG
from tests.test_numbers import CONSTANTS
from zerosum.bulk import Table
from zerosum.documents import to_dict
from zerosum.lab.measure import Measurement, Measurements, measurement_svg
from zerosum.lab.measure.comparing import measurements_of
from zerosum.lab.measure.comparison_report import measurements_report
from zerosum.lab.measure.exports import to_csv
from zerosum.lab.measure.measurement_report import error_sentence, fault_kinds, measurement_report
from zerosum.lab.measure.measuring import Measured, measured_answers
from zerosum.latex import to_latex
from zerosum.pictures.svg import text_width
from zerosum.protocol import Game
from zerosum.reports import Bars, Medium, to_markdown, to_text


def measured(
    game: Game[Any], fault: float = 0.0, budget: int | None = None, seed: int = 3
) -> Measured:
    return measured_answers(Table(game), any_player(game, seed, fault), budget=budget)


def level(game: Game[Any], name: str) -> Measured:
    return measured_answers(Table(game), name)


DIGITS, STEVEN = zerosum.game("dual-digits"), zerosum.game("even-steven")
MEASURED: dict[str, Callable[[], Measured]] = {
    "exact": lambda: measured(DIGITS),
    "faulty": lambda: measured(WildRow(), fault=0.2),  # which has draws too
    "sample": lambda: measured(zerosum.game("dual-digits", start=40), budget=30),
    "drawn": lambda: measured_answers(Table(STEVEN), lambda game, state: 1),
    "empty": lambda: measured(Hotseat()),
    "perfect": lambda: level(STEVEN, "perfect"),
    "part": lambda: measured(DIGITS, fault=0.1, budget=40, seed=4),
    "hard": lambda: level(DIGITS, "hard"),
    "random": lambda: level(STEVEN, "random"),
    "hard-too": lambda: level(STEVEN, "hard"),
    "steven": lambda: measured(STEVEN, fault=0.2),
}
SINGLE = [*MEASURED][:6]
# Players of one game; of several; one player in several games; and players who never met.
SEVERAL = [
    "exact part hard",
    "perfect drawn random",
    "hard hard-too exact steven",
    "hard hard-too",
    "exact faulty drawn",
    "hard hard-too exact random",
    "perfect sample",
    "empty hard",
]
SHOWN = [*SINGLE, *SEVERAL]


@cache
def found(name: str) -> Measurement:
    return MEASURED[name]().measurement


@cache
def together(names: str) -> Measurements:
    return measurements_of([MEASURED[name]() for name in names.split()])


@pytest.mark.parametrize("names", SHOWN)
def test_everything_drawn_is_said_and_inside(names: str) -> None:
    document = together(names)
    shown = document.measurements
    root = ElementTree.fromstring(measurement_svg(document))
    width, height = (float(root.get(side, 0)) for side in ("width", "height"))
    said = root.findtext(f"{SVG}desc") or ""
    for text in root.iter(f"{SVG}text"):
        words, wide = text.text or "", float(text.get("font-size", 12))
        left = float(text.get("x", 0))
        if text.get("text-anchor") == "end":
            left -= text_width(words, wide)
        assert left >= 0
        assert left + text_width(words, wide) <= width
        assert 0 < float(text.get("y", 0)) < height
    for title in root.iterfind(f".//{SVG}g/{SVG}title"):
        assert (title.text or "") in said
    if len(shown) == 1:
        for error in shown[0].errors[:5]:
            assert error_sentence(error) in said
    else:
        for part in shown:
            assert fault_kinds(part.faults) in said
    assert ("95% confidence" in said) == any(not part.exact for part in shown)
    assert strange_numbers(said, to_dict(document), CONSTANTS) == []


@pytest.mark.parametrize("names", SHOWN)
def test_every_number_of_a_report_is_in_the_document(names: str) -> None:
    document = together(names)
    report = measurements_report(document)
    for text in (to_text(report), to_text(report, Medium(plain=True)), to_markdown(report)):
        assert strange_numbers(text, to_dict(document), CONSTANTS) == []


@pytest.mark.parametrize("names", SEVERAL)
def test_every_player_and_every_pair_is_in_the_report(names: str) -> None:
    document = together(names)
    text = to_text(measurements_report(document))
    latex = to_latex(measurements_report(document))
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}") >= 2
    for part in document.measurements:
        assert part.player in text
        assert part.title in text
    compared = document.comparison
    if compared is None:
        assert names in SEVERAL[4:]
        return
    lines = text.split("\n")
    for pair in compared.pairs:
        assert sum(line.startswith(f"{pair.player} − {pair.other}  ") for line in lines) == 1
    ranked = [player.slips.value for player in compared.players]
    assert ranked == sorted(ranked)


def test_many_games_are_in_one_table() -> None:
    starts = range(4, 11)
    games = [Table(zerosum.game("even-steven", start=start)) for start in starts]
    every = [measured_answers(game, level) for game in games for level in ("easy", "hard")]
    lines = to_text(measurements_report(measurements_of(every))).split("\n")
    begin = lines.index("Right decisions, game by game")
    rows = [line.split("  ") for line in lines[begin + 2 : begin + 2 + len(starts)]]
    assert [row[0].strip() for row in rows] == [f"Even-Steven (start {n})" for n in starts]
    assert not any(line.startswith("Even-Steven (start 4):") for line in lines)


@pytest.mark.parametrize("games", [1, 2, 6])
def test_players_of_one_name_are_told_apart(games: int) -> None:
    tables = [Table(zerosum.game("even-steven", start=start)) for start in range(4, 4 + games)]
    every = []
    for table in tables:
        for name in ("easy", "perfect"):
            made = measured_answers(table, name)
            alike = msgspec.structs.replace(made.measurement, player="Ada")
            every.append(made._replace(measurement=alike))
    compared = measurements_of(every).comparison
    assert compared is not None
    assert [player.player for player in compared.players] == ["Ada (2)", "Ada"]
    lines = to_text(measurements_report(measurements_of(every))).splitlines()
    # The last column is regret, or the score against perfect play.
    for name, last in (("Ada  ", {"0.500", "0.375"}), ("Ada (2)  ", {"0.000", "0.500"})):
        rows = [line for line in lines if line.startswith(name)]
        lasts = {row.split()[-1] for row in rows}
        assert lasts == last if games < 6 else lasts < last
    if games == 6:
        begin = lines.index("Right decisions, game by game")
        assert lines[begin + 1].endswith("Ada    Ada (2)")
        assert lines[begin + 2].endswith("75.0%  100%")


@pytest.mark.parametrize("names", SHOWN)
def test_a_spreadsheet_has_every_figure_in_full(names: str) -> None:
    shown = together(names).measurements
    rows = list(csv.DictReader(StringIO(to_csv(shown))))
    assert len(rows) == len(shown)
    for row, part in zip(rows, shown, strict=True):
        assert (row["player"], row["title"]) == (part.player, part.title)
        assert json.loads(row["options"]) == part.options
        assert row["right"] == ("" if part.good is None else repr(part.good.value))
        assert row["slips_high"] == ("" if part.slips is None else repr(part.slips.high))
        assert row["cut_off"] == str(part.faults["cut-off"])
        for score in part.scores or ():
            assert row[f"score_{score.level}_low"] == repr(score.low)
            cost = "" if score.regret is None else repr(score.regret.value)
            assert row[f"game_regret_{score.level}"] == cost


def test_a_players_name_is_no_formula_in_a_spreadsheet() -> None:
    measured = msgspec.structs.replace(together(SHOWN[0]).measurements[0], player="=1+1")
    (row,) = csv.DictReader(StringIO(to_csv([measured])))
    assert row["player"] == "'=1+1"


def test_bars_are_as_long_as_the_shares() -> None:
    faulty = found("faulty")
    pieces = [piece for section in measurement_report(faulty).sections for piece in section.pieces]
    drawn = [bar for piece in pieces if isinstance(piece, Bars) for bar in piece.bars]
    groups = [*faulty.difficulty, *faulty.plies]
    for group, bar in zip(groups, drawn[: len(groups)], strict=True):
        assert group.good is not None
        assert bar.parts["win-sign"] == group.good.value
        assert bar.parts["alarm"] == group.thrown["win-loss"]
        assert sum(bar.parts.values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("player", "sentence"),
    [
        (always(lambda game, state: game.moves(state)[0]), "plays 1"),
        (lambda game, state: 1, "wrong in 10 of 10 answers"),
        (lambda game, state: 9, "an illegal answer"),
        ("random", "wrong 50.0% of the time"),
    ],
)
def test_sentences_of_errors(player: Any, sentence: str) -> None:
    error = measured_answers(
        Table(zerosum.game("even-steven", start=4)), player
    ).measurement.errors[0]
    assert error_sentence(error) == f"At the start: {sentence}; right: 2."
