"""The report of an audit: size, verdict, document, sections and page."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from importlib.resources import files
from itertools import count
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

import zerosum
from tests.game_files import EXAMPLES, NOUGHTS, PASS, STICK
from tests.games import GAMES_FILE, Hotseat, Sticks, broken
from zerosum.coach.advice import percent
from zerosum.lab.audit.fairness import handicaps
from zerosum.lab.audit.measures import Measures
from zerosum.lab.audit.rendering import page
from zerosum.lab.audit.rendering.charts import COLOURS, equals_chart, lengths_chart, skill_chart
from zerosum.lab.audit.rendering.sections import sections
from zerosum.lab.audit.report import BROKEN, Audit, audit_game, audit_steps
from zerosum.lab.audit.size import size
from zerosum.limits import Limits
from zerosum.players.level_policies import chain_of
from zerosum.players.strength import Chances
from zerosum.record import dumps
from zerosum.solver import solve_table
from zerosum.states import walk

SCHEMA = json.loads((files("zerosum") / "schemas" / "audit.json").read_text())
DRAWN = f"{GAMES_FILE}:Sides"
NAMES = (*zerosum.games()[:5], STICK, DRAWN)
# The defaults of these games would take seconds.
OPTIONS = {"digit-battle": {"lives": 2}, "number-navigator": {"start": 3}}


@cache
def audited(name: str) -> Audit:
    return audit_game(zerosum.game(name, **OPTIONS.get(name, {})))


def page_of(audit: Audit, name: str) -> str:
    return page.audit_page(audit.document(), [name], audit.game, audit.solution)


def said(audit: Audit, key: str) -> str:
    """Join what a section of the report says."""
    found = {section.key: section for section in sections(audit.document(), ["game"])}
    return " ".join(found[key].sentences) if key in found else ""


@pytest.mark.parametrize("name", NAMES)
def test_document_follows_its_schema(name: str) -> None:
    jsonschema.validate(json.loads(dumps(audited(name).document())), SCHEMA)


@pytest.mark.parametrize("name", NAMES)
def test_report_is_made_from_the_document_alone(name: str) -> None:
    document = audited(name).document()
    again = json.loads(dumps(document))
    assert sections(again, [name]) == sections(document, [name])


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("even-steven", {"start": 9}),
        ("dual-digits", {"start": 12}),
        ("number-navigator", {"start": 3}),
        ("digit-battle", {"lives": 2}),
        (STICK, {}),
        (NOUGHTS, {}),
        (PASS, {}),
        (f"{GAMES_FILE}:Nim", {}),
        (f"{GAMES_FILE}:Lights", {}),
    ],
)
def test_size_equals_a_walk_over_the_rules(name: str, options: dict[str, Any]) -> None:
    game = zerosum.game(name, **options)
    solution = solve_table(game)
    found = size(solution, chain_of(solution))
    classes = {}
    reasons: dict[Any, tuple[set[int | None], str]] = {}
    for state in walk(game):
        same = game.canonical(state)
        outcome = game.outcome(state)
        classes[same] = 0 if outcome else len(game.moves(state))
        if outcome:
            reasons.setdefault(same, (set(), outcome.reason))[0].add(outcome.winner)
    assert found.positions == len(classes)
    assert found.moves == sum(classes.values())
    ends = Counter(
        (winners.pop() if len(winners) == 1 else "either", reason)
        for winners, reason in reasons.values()
    )
    assert {end[:2]: end.positions for end in found.ends} == ends


def test_verdict_names_winner_fairness_skill_and_faults() -> None:
    assert said(audited("even-steven"), "verdict") == (
        "Under best play the second player wins in 8 moves. "
        "Between equals, whom the game favours depends on their level: below perfect play, "
        "the first player scores 10% to 58%. "
        "Skill matters: each level scores 55% to 64% against the next weaker one. "
        "No faults were found."
    )
    assert "the game can go on forever. " in said(audited("digit-battle"), "verdict")
    assert "and the game is a draw. " in said(audited(DRAWN), "verdict")


@pytest.mark.parametrize(
    ("scores", "favours"),
    [
        ((0.5, 0.46, 0.54, 0.5), "nobody"),
        ((0.5, 0.46, 0.56, 0.7), "first"),
        ((0.44, 0.54, 0.5, 0.1), "second"),
        ((0.44, 0.56, 0.5, 0.5), "varies"),
    ],
)
def test_a_game_is_fair_if_it_is_fair_below_perfect_play(
    scores: tuple[float, ...], favours: str
) -> None:
    levels = dict(zip(("random", "easy", "medium", "hard", "perfect"), (*scores, 1.0), strict=True))
    measures: Any = {
        level: Measures(Chances(score, 1 - score, 0, 0), score - 0.5, 0, 0)
        for level, score in levels.items()
    }
    assert Audit(Sticks(), measures=measures).favours == favours


def test_random_games_are_described_by_their_exact_lengths() -> None:
    # From 3 sticks, taking 1 or 2: 2 + 1 and 1 + 2 with 1/4 + 1/2, and 1 + 1 + 1 with 1/4.
    audit = audit_game(Sticks(start=3))
    document = audit.document()
    assert document["lengths"] == {
        "shares": (0.0, 0.0, 0.75, 0.25),
        "rest": 0.0,
        "half": 2,
        "nine_tenths": 3,
        "last": 3,
        "bars": [{"first": 2, "last": 2, "share": 0.75}, {"first": 3, "last": 3, "share": 0.25}],
    }
    assert document["size"]["longest"] == 3
    text = said(audit, "size")
    assert "The longest possible game is 3 moves long." in text
    assert "A random game is 2.2 moves long on average" in text
    assert "Half of all random games end within 2 moves, and 90% within 3." in text


def test_long_distributions_are_drawn_in_few_bars_of_equal_width() -> None:
    (bars,) = (s.bars for s in sections(audited("digit-battle").document(), []) if s.bars)
    assert 5 < len(bars) < 20
    assert bars[-1][0] == "more"
    assert sum(share for _, share in bars) == pytest.approx(1)


def test_starts_are_listed_by_their_winner() -> None:
    starts = audit_game(Sticks(start=4)).document()["starts"]
    assert starts["losses"] == list(range(3, 51, 3))
    assert starts["wins"] == [start for start in range(1, 51) if start % 3]
    assert starts["draws"] == []
    text = said(audit_game(Sticks(start=4)), "winner")
    assert "Of the starts from 1 to 50, the second player wins from 3, 6, 9, 12, " in text
    assert "(16 in all); the first player wins from the other 34." in text
    assert audited(DRAWN).document()["starts"] is None


def test_too_large_game_is_still_told_what_its_theory_knows() -> None:
    audit = audit_game(zerosum.game("even-steven", start=1002), Limits(1000))
    jsonschema.validate(json.loads(dumps(audit.document())), SCHEMA)
    assert (audit.winner, audit.size, audit.measures, audit.broken) == ("first", None, None, False)
    text = said(audit, "verdict")
    assert "Under best play the first player wins in " in text
    assert "No faults were found. The rules were checked in the first 10,000 positions." in text
    assert "Even-Steven has more than 1,000 positions" in text
    assert page_of(audit, "even-steven").startswith("<!doctype html>")


@pytest.mark.parametrize(("nodes", "proved"), [(100_000, "loss"), (10, None)])
def test_too_large_game_without_a_theory_is_searched(
    nodes: int, proved: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zerosum.lab.audit.report.MOST_SEARCHED", nodes)
    audit = audit_game(Sticks(start=600), Limits(1000))
    document = audit.document()
    assert document["proved"] == proved
    said_so = "Under best play the second player wins: a search has proved it." in said(
        audit, "verdict"
    )
    assert said_so == bool(proved)
    jsonschema.validate(json.loads(dumps(document)), SCHEMA)
    assert (document["best_play"], document["levels"]) == (None, None)
    assert document["left_out"][0]["limit"] == 1000
    assert document["verdict"]["winner"] is None


def test_what_was_not_checked_everywhere_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not audited(STICK).left_out
    monkeypatch.setattr("zerosum.lab.audit.report.MOST_CHECKED", 9)
    audit = audit_game(Sticks())
    assert [part.part for part in audit.left_out if part.part == "faults"] == ["faults"]
    text = said(audit, "verdict")
    assert "Legality, objections and symmetry were checked in the first 9 positions." in text


def test_game_that_fills_the_memory_has_no_values() -> None:
    def moves(self: Any, state: Any) -> Any:
        raise MemoryError

    audit = audit_game(broken(moves=moves))
    assert (audit.out_of_memory, audit.broken, audit.solution) == (True, False, None)
    assert "more positions than fit into memory" in said(audit, "verdict")


def test_fairest_variants_and_a_handicap_are_proposed() -> None:
    audit = audited(STICK)
    assert audit.handicap is not None
    solution = solve_table(audit.handicap.game)
    ways = {way.first: way.score for way in handicaps(solution, "easy", "hard")}
    assert ways[audit.handicap.first] == audit.handicap.score
    text = said(audit, "proposals")
    assert "The fairest variants between equals, with starts from 2 to 50." in text
    assert f"easy scores {percent(audit.handicap.score)}." in text
    assert text.endswith("Other handicaps: zerosum starts game --handicap easy hard")


def test_rule_of_thumb_says_how_well_it_plays() -> None:
    audit = audited("digit-battle")
    thumb = audit.document()["rule_of_thumb"]
    assert set(thumb["scores"]) == {"random", "medium", "perfect"}
    score = percent(thumb["scores"]["random"])
    assert f"Whoever plays by it scores {score} against random, " in said(audit, "law")


@pytest.mark.parametrize(
    "rules",
    [
        {"moves": lambda game, state: (move for move in (1, 2))},
        {"initial": lambda game: [5, 0]},
        {"play": lambda game, state, move: 1 // 0},
    ],
)
def test_verdict_leaves_the_fault_to_the_list_of_faults(rules: dict[str, Any]) -> None:
    audit = audit_game(broken(**rules))
    assert audit.broken
    assert audit.faults
    assert [left.reason for left in audit.left_out] == [BROKEN]


def test_broken_game_has_faults_and_no_values() -> None:
    def moves(self: Any, state: Any) -> Any:
        return () if state.number == 2 else Sticks.moves(self, state)

    audit = audit_game(broken(moves=moves))
    document = audit.document()
    jsonschema.validate(json.loads(dumps(document)), SCHEMA)
    assert audit.broken
    assert document["best_play"] is None
    assert document["faults"][0]["severity"] == "error"
    assert document["faults"][0]["witness"] is not None
    assert "solve" not in said(audit, "faults")
    assert page_of(audit, "broken").count("<svg") == 0


def test_fault_shows_its_witness_and_how_to_replay_it() -> None:
    audit = audited("digit-battle")
    (fault,) = audit.document()["faults"]
    assert fault["code"] == "endless"
    moves = ",".join(map(str, fault["witness"]))
    assert f"Show it with: zerosum solve game --moves {moves}" in said(audit, "faults")


def test_environment_is_judged_by_what_its_code_does() -> None:
    pytest.importorskip("gymnasium")
    audit = audit_game(zerosum.game(str(EXAMPLES / "countdown_env.py")))
    jsonschema.validate(json.loads(dumps(audit.document())), SCHEMA)
    text = said(audit, "verdict")
    assert text.endswith("All of this is about what the environment's code does.")
    assert not audited(STICK).document()["environment"]


def test_steps_lead_to_the_whole_audit() -> None:
    first, *_, last = audit_steps(Sticks(start=4))
    assert (first.winner, first.measures, first.law) == ("first", None, None)
    jsonschema.validate(json.loads(dumps(first.document())), SCHEMA)
    assert last.measures is not None
    assert last.document() == audit_game(Sticks(start=4)).document()


def test_game_without_a_decision_says_that_skill_does_not_matter() -> None:
    audit = audit_game(Hotseat())
    jsonschema.validate(json.loads(dumps(audit.document())), SCHEMA)
    assert "Skill does not matter: no decision changes the result." in said(audit, "verdict")


class Page(HTMLParser):
    """The elements of a page, and what is open at its end."""

    VOID = ("meta", "rect", "path", "circle", "line")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str | None]] = []
        self.open: list[str] = []
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += attrs
        self.ids += [str(value) for name, value in attrs if name == "id"]
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("name", NAMES)
def test_page_is_whole_and_refers_to_nothing_outside(name: str) -> None:
    text = page_of(audited(name), name)
    page = Page(text)
    assert page.open == []
    assert page.tags["svg"] >= 4
    assert not {"script", "link", "img", "iframe", "object"} & set(page.tags)
    assert not {"href", "src", "onclick"} & {key for key, _ in page.attributes}
    assert "url(" not in text
    assert "@import" not in text
    assert text.count("http") == text.count('xmlns="http://www.w3.org/2000/svg"')
    assert len(set(page.ids)) == len(page.ids)


def test_page_says_what_the_report_says() -> None:
    audit = audited("dual-digits")
    text = page_of(audit, "dual-digits")
    for section in sections(audit.document(), ["dual-digits"]):
        assert f"<h2>{section.title}</h2>" in text


def test_page_escapes_what_a_game_says() -> None:
    def outcome(self: Any, state: Any) -> Any:
        end = Sticks.outcome(self, state)
        return end and end._replace(reason="<b>all & gone</b>")

    text = page_of(audit_game(broken(outcome=outcome)), "<game>")
    assert "<b>" not in text
    assert "&lt;b&gt;all &amp; gone&lt;/b&gt;" in text
    assert "<game>" not in text


def test_charts_are_svg_with_a_text_alternative() -> None:
    levels: list[dict[str, Any]] = [
        {"level": "easy", "first_wins": 0.5, "second_wins": 0.3, "draw": 0.15, "endless": 0.05},
        {"level": "hard", "first_wins": 1.0, "second_wins": 0.0, "draw": 0.0, "endless": 0.0},
    ]
    drawn = {
        lengths_chart((("1", 0.25), ("2", 0.75))): "Moves 1: 25%\nMoves 2: 75%",
        equals_chart(levels): (
            "easy: first 50%, second 30%, nobody 20%\nhard: first 100%, second 0%"
        ),
        skill_chart([{"stronger": "easy", "weaker": "random", "score": 0.7}]): (
            "easy against random: 70%"
        ),
    }
    for chart, alternative in drawn.items():
        described = ElementTree.fromstring(chart).find("{http://www.w3.org/2000/svg}desc")
        assert described is not None
        assert described.text == alternative


def test_bars_can_be_told_from_the_paper() -> None:
    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for colours in COLOURS.values():
        for colour, paper in zip(colours, ("#ffffff", "#14181e"), strict=True):
            low, high = sorted((luminance(colour), luminance(paper)))
            assert (high + 0.05) / (low + 0.05) >= 3


def test_an_audit_of_slow_rules_says_how_far_it_came(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = count(0.0, 0.1).__next__
    monkeypatch.setattr("zerosum.testing.checker.monotonic", slow)
    audit = audit_game(Sticks(), Limits(seconds=10.0))
    assert (audit.winner, audit.out_of_time) == ("first", True)
    assert [part for part, *_ in audit.left_out] == ["faults", "dead_rules"]
    assert re.fullmatch(
        r"The rules were checked in only [1-9] positions? within 5 seconds\.",
        audit.left_out[0].reason,
    )
    monkeypatch.undo()
    monkeypatch.setattr("zerosum.lab.audit.rules.exploration.monotonic", slow)
    audit = audit_game(Sticks(), Limits(seconds=0.5))
    assert audit.out_of_time
    assert audit.left_out[0].reason == (
        "The rules were not asked again in all positions within 0.5 seconds."
    )
    monkeypatch.undo()
    monkeypatch.setattr("zerosum.lab.audit.rules.dead_rules.monotonic", slow)
    audit = audit_game(Sticks(), Limits(seconds=2.0))
    assert audit.left_out == (
        (
            "dead_rules",
            "The search for rules that never apply was not finished within 2 seconds.",
            None,
        ),
    )
    assert audit.starts is not None
    assert audit.out_of_time
    assert not audit_game(Sticks()).out_of_time


WRONG_PARTS = {
    "words": """
from zerosum import Field, Words

class LastStickWords(Words[State]):
    def fields(self, state):
        return (Field("sticks", "Sticks", "|" * 2_000),)
""",
    "theory": """
from zerosum import Theory

class LastStickTheory(Theory[State]):
    def value(self, state):
        return 1 / 0
""",
}


@pytest.mark.parametrize("part", WRONG_PARTS)
def test_wrong_words_or_a_wrong_theory_do_not_break_the_rules(part: str, tmp_path: Path) -> None:
    file = tmp_path / "last_stick.py"
    file.write_text((EXAMPLES / "last_stick.py").read_text() + WRONG_PARTS[part])
    audit = audit_game(zerosum.game(str(file)))
    assert (audit.broken, audit.winner, audit.faults) == (False, "first", ())
    (left_out,) = audit.left_out
    assert left_out.part == "law"
    assert f"LastStick{part.title()}" in left_out.reason
