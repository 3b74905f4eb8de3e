"""An audit as a whole: what it finds, what it leaves out, and what it says to people."""

import re
from collections import Counter
from functools import cache
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any, get_args

import jsonschema
import pytest

import zerosum
from tests.game_files import EXAMPLES, NOUGHTS, PASS, STICK
from tests.games import GAMES_FILE, Hotseat, Sticks, broken
from zerosum.documents import loads, read, schema, to_json
from zerosum.lab.audit.auditing import BROKEN, audit_game, audit_steps, favoured, stopped_audit
from zerosum.lab.audit.document import Audit, AuditPart
from zerosum.lab.audit.measures import measured_ends, size
from zerosum.lab.audit.report import audit_page, audit_report
from zerosum.limits import Limits
from zerosum.players.level_policies import chain_of
from zerosum.players.levels import LEVELS
from zerosum.players.strength import Chances
from zerosum.reports import Sentence, to_text
from zerosum.solver import solve_table
from zerosum.states import walk

DRAWN = f"{GAMES_FILE}:Sides"
NAMES = (*zerosum.games()[:5], STICK, DRAWN)
# The defaults of these games would take seconds.
OPTIONS = {"digit-battle": {"lives": 2}, "number-navigator": {"start": 3}}


@cache
def audited(name: str) -> Audit:
    return audit_game(zerosum.game(name, **OPTIONS.get(name, {})))


def said(audit: Audit, key: str) -> str:
    """Join what a section of the report says."""
    found = {section.key: section for section in audit_report(audit, ["game"]).sections}
    pieces = found[key].pieces if key in found else ()
    return " ".join(
        piece if isinstance(piece, str) else piece.text
        for piece in pieces
        if isinstance(piece, str | Sentence)
    )


@pytest.mark.parametrize("name", NAMES)
def test_document_is_read_again_and_says_the_same(name: str) -> None:
    audit = audited(name)
    again = read(Audit, to_json(audit))
    assert to_json(again) == to_json(audit)
    assert to_text(audit_report(again, [name])) == to_text(audit_report(audit, [name]))
    jsonschema.validate(loads(to_json(audit)), schema(Audit))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("number-navigator", {"start": 3}),
        ("digit-battle", {"lives": 2}),
        (NOUGHTS, {}),
        (PASS, {}),
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
    assert {(end.winner, end.reason): end.positions for end in found.ends} == ends


def test_verdict_says_how_best_play_ends_and_whether_skill_matters() -> None:
    assert "the game can go on forever. " in said(audited("digit-battle"), "verdict")
    assert "and the game is a draw. " in said(audited(DRAWN), "verdict")
    no_choice = said(audit_game(Hotseat()), "verdict")
    assert "Skill does not matter: no decision changes the result." in no_choice
    assert "Skill matters: each level scores 59% to 71% against" in said(audited(STICK), "verdict")


def test_skill_hardly_matters_if_no_level_scores_much_more_than_the_next() -> None:
    class Squares(Sticks):
        def moves(self, state: Any) -> Any:
            return tuple(n for n in (1, 4, 9) if n <= state.number)

    verdict = said(audit_game(Squares(11)), "verdict")
    assert "Skill hardly matters: each level scores 50% to 53% against the next" in verdict


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
    chances = [Chances(score, 1 - score, 0, 0) for score in (*scores, 1.0)]
    assert favoured(tuple(map(measured_ends, LEVELS, chances))) == favours


def test_random_games_are_described_by_their_exact_lengths() -> None:
    # From 3 sticks, taking 1 or 2: 2 + 1 and 1 + 2 with 1/4 + 1/2, and 1 + 1 + 1 with 1/4.
    audit = audit_game(Sticks(start=3))
    assert loads(to_json(audit))["lengths"] == {
        "shares": [0.0, 0.0, 0.75, 0.25],
        "rest": 0.0,
        "half": 2,
        "nine_tenths": 3,
        "last": 3,
        "bars": {"2": 0.75, "3": 0.25},
    }
    text = said(audit, "size")
    assert "The longest possible game is 3 moves long." in text
    assert "A random game is 2.2 moves long on average" in text
    assert "Half of all random games end within 2 moves, and 90% within 3." in text


def test_too_large_game_is_still_told_what_its_theory_knows() -> None:
    audit = audit_game(zerosum.game("even-steven", start=1002), Limits(1000))
    assert (audit.verdict.winner, audit.size, audit.levels) == ("first", None, None)
    text = said(audit, "verdict")
    assert "Under best play the first player wins in " in text
    assert "No faults were found. The rules were checked in the first 10,000 positions." in text
    assert "Even-Steven has more than 1,000 positions" in text
    assert audit_page(audit, ["even-steven"], zerosum.game("even-steven"), None)


@pytest.mark.parametrize(("nodes", "proved"), [(100_000, "loss"), (10, None)])
def test_too_large_game_without_a_theory_is_searched(
    nodes: int, proved: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zerosum.lab.audit.auditing.AUDIT_NODES", nodes)
    audit = audit_game(Sticks(start=600), Limits(1000))
    assert audit.proved == proved
    proof = "Under best play the second player wins: a search has proved it."
    assert (proof in said(audit, "verdict")) == bool(proved)
    assert (audit.best_play, audit.levels, audit.verdict.winner) == (None, None, None)
    assert (audit.left_out[0].limit, audit.left_out[0].cause) == (1000, "positions")


def test_what_was_not_checked_everywhere_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not audited(STICK).left_out
    monkeypatch.setattr("zerosum.lab.audit.auditing.CHECKED", Limits(9))
    text = said(audit_game(Sticks()), "verdict")
    assert "Legality, objections and symmetry were checked in the first 9 positions." in text


def test_game_that_fills_the_memory_has_no_values() -> None:
    def moves(self: Any, state: Any) -> Any:
        raise MemoryError

    audit = audit_game(broken(moves=moves))
    assert (audit.lacks("memory"), audit.verdict.broken, audit.best_play) == (True, False, None)
    assert "needs more memory than there is" in said(audit, "verdict")


@pytest.mark.parametrize(
    "rules",
    [
        {"moves": lambda game, state: () if state.number == 2 else Sticks.moves(game, state)},
        {"initial": lambda game: [5, 0]},
    ],
)
def test_broken_game_has_faults_and_no_values(rules: dict[str, Any]) -> None:
    game = broken(**rules)
    audit = audit_game(game)
    assert (audit.verdict.broken, audit.best_play) == (True, None)
    assert audit.faults[0].severity == "error"
    assert [left.reason for left in audit.left_out] == [BROKEN]
    assert "solve" not in said(audit, "faults")
    assert said(audit, "starts") == ""
    assert "<svg" not in audit_page(audit, ["broken"], game, None)


def test_fault_shows_its_witness_and_how_to_replay_it() -> None:
    audit = audited("digit-battle")
    (fault,) = audit.faults
    assert fault.code == "endless"
    moves = ",".join(map(str, fault.witness or ()))
    assert f"Show it with: zerosum solve game --moves {moves}" in said(audit, "faults")


def test_environment_is_judged_by_what_its_code_does() -> None:
    pytest.importorskip("gymnasium")
    first, *_, audit = audit_steps(zerosum.game(str(EXAMPLES / "countdown_env.py")))
    assert (first.lacks("begun"), audit.lacks("begun"), audit.environment) == (True, False, True)
    words = "This describes the code of the environment, not its documentation."
    assert said(audit, "verdict").endswith(words)
    assert not audited(STICK).environment


def test_stopped_audit_says_what_is_missing() -> None:
    first, *_ = audit_steps(Sticks(start=4))
    stopped = stopped_audit(first, "It was stopped.")
    assert [part.part for part in stopped.left_out] == ["levels", "law", "dead_rules"]
    assert set(get_args(AuditPart)) > {part.part for part in stopped.left_out}
    for key in ("fairness", "law", "dead-rules"):
        assert "It was stopped." in said(stopped, key)


@pytest.mark.parametrize("name", ["dual-digits", DRAWN])
def test_page_has_every_section_and_refers_to_nothing_outside(name: str) -> None:
    audit, game = audited(name), zerosum.game(name)
    page = audit_page(audit, [name], game, solve_table(game))
    assert page.count("<svg") >= 4
    for section in audit_report(audit, [name]).sections:
        assert f"<h2>{section.title}</h2>" in page
    assert not re.findall(r"<(?:script|link|img|iframe|object)|(?:href|src|onclick)=|url\(", page)
    assert page.count("http") == page.count('xmlns="http://www.w3.org/2000/svg"')
    ids = re.findall(r' id="([^"]*)"', page)
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    ("clock", "seconds", "reason"),
    [
        ("testing.checker", 10.0, "The rules were checked in only [1-9] positions? within 5"),
        ("lab.audit.rules.exploration", 0.5, "The rules were not asked again in .+ within 0.5"),
        ("lab.audit.rules.dead_rules", 2.0, "The search for .+ was not finished within 2"),
    ],
)
def test_an_audit_of_slow_rules_says_how_far_it_got(
    monkeypatch: pytest.MonkeyPatch, clock: str, seconds: float, reason: str
) -> None:
    monkeypatch.setattr(f"zerosum.{clock}.monotonic", count(monotonic(), 0.1).__next__)
    audit = audit_game(Sticks(), Limits(seconds=seconds))
    assert (audit.verdict.winner, audit.lacks("time")) == ("first", True)
    (left,) = audit.left_out
    assert left.part == ("dead_rules" if "dead_rules" in clock else "faults")
    assert re.fullmatch(rf"{reason} seconds\.", left.reason)
    monkeypatch.undo()
    assert not audit_game(Sticks()).lacks("time")


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
    assert (audit.verdict.broken, audit.verdict.winner, audit.faults) == (False, "first", ())
    # An audit says nothing in a game's own words.
    assert [left.part for left in audit.left_out] == ["law"] * (part == "theory")
    assert all("LastStickTheory" in left.reason for left in audit.left_out)
