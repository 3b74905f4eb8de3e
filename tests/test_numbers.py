"""Every number in a report occurs in the document beside it."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import zerosum
from tests.cli.support import run
from tests.figures import malformed_numbers, strange_numbers
from tests.game_files import PASS
from tests.solutions import audited, solved, tables
from zerosum.documents import to_dict
from zerosum.lab.audit import report
from zerosum.lab.audit.document import Audit
from zerosum.lab.audit.report import audit_page, audit_report
from zerosum.reports import to_text
from zerosum.wording.texts import summary_of

ROOT = Path(__file__).parents[1]
PROSE = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
LARGE: dict[str, dict[str, Any]] = {
    "digit-battle": {},
    "dual-digits": {"start": 400},
    "number-navigator": {},
    PASS: {},
}
# "90% within 45 moves", "how far from 50%", "95% confidence intervals", "the first 100 of", and how
# far a level looks.
CONSTANTS = (0.9, 0.5, 0.95, 100, 300, 2_000, 25_000)


def words_of_page(page: str) -> str:
    """Return what people read on a page, but for the numbers of its map."""
    page = re.sub(r"(?s)<style>.*?</style>|<figure class=\"map.*?</figure>", " ", page)
    return unescape(re.sub(r"<[^>]*>", "\n", page))


def without_nobody(audit: Audit) -> list[float]:
    """Return the shares of games that nobody wins, as the chart of equals adds them up."""
    return [level.draw + level.endless for level in audit.levels or ()]


def strange_in_audit(audit: Audit) -> list[str]:
    """List the numbers of a report that are not in its document."""
    text = to_text(audit_report(audit, ["game"]))
    return strange_numbers(text, to_dict(audit), CONSTANTS)


@pytest.mark.parametrize("name", LARGE)
def test_every_number_of_an_audit_is_in_its_document(name: str) -> None:
    game = zerosum.game(name, **LARGE[name])
    audit = audited(game)
    assert strange_in_audit(audit) == []
    page = words_of_page(audit_page(audit, [name], game, solved(game)))
    known = [to_dict(audit), summary_of(game), name]
    assert strange_numbers(page, known, [*CONSTANTS, *without_nobody(audit)]) == []


@settings(max_examples=settings().max_examples // 10)
@given(
    st.one_of(
        st.tuples(st.just("dual-digits"), st.fixed_dictionaries({"start": st.integers(1, 25)})),
        st.tuples(st.just("even-steven"), st.fixed_dictionaries({"start": st.integers(1, 30)})),
        st.tuples(st.just("number-navigator"), st.fixed_dictionaries({"start": st.integers(1, 4)})),
    )
)
def test_every_number_of_an_audit_of_any_variant_is_in_its_document(
    variant: tuple[str, dict[str, Any]],
) -> None:
    name, options = variant
    assert strange_in_audit(zerosum.audit_game(zerosum.game(name, **options))) == []


def test_numbers_that_are_written_twice_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    audit = audited(zerosum.game("digit-battle"))
    assert audit.size is not None
    monkeypatch.setattr(report, "counted", lambda count, noun: f"{count:,}{count:,} {noun}s")
    twice = {f"{count:,}{count:,}" for count in (audit.size.positions, audit.size.moves)}
    assert twice <= {*strange_in_audit(audit)}
    assert twice <= {*malformed_numbers(to_text(audit_report(audit, ["game"])))}


MATCHES = (
    ("dual-digits", "--watch", "easy", "medium", "--seed", "3"),
    ("number-navigator", "--watch", "easy", "medium", "--games", "3", "--seed", "3"),
    ("digit-battle", "--lives", "2", "--watch", "random", "hard", "--seed", "1"),
)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home with some matches."""
    home = tmp_path_factory.mktemp("played")
    for match in MATCHES:
        assert run(home, "play", *match).returncode == 0
    return home


def check(home: Path, *args: str) -> None:
    """Compare what a command prints with what it prints as a document."""
    text, document = (run(home, *args, *more, ZEROSUM_CACHE=tables()) for more in ([], ["--json"]))
    assert (text.returncode, document.returncode) == (0, 0), text.stderr
    known = [json.loads(document.stdout), *args]
    assert strange_numbers(text.stdout, known, CONSTANTS) == [], text.stdout


@pytest.mark.parametrize(
    "command",
    [
        "levels digit-battle --lives 3",
        "starts dual-digits --from 990 --to 1010",
        "starts dual-digits --from 20 --to 60 --handicap easy hard",
        "solve digit-battle --lives 3",
        "solve number-navigator --moves 3,1,3,2",
        "solve dual-digits --start 1" + "0" * 60,
        f"solve {PASS}",
        "explain number-navigator",
        f"explain {PASS}",
        "measure medium number-navigator",
        "measure easy hard dual-digits",
        "measure easy hard random dual-digits even-steven",
        "measure hard dual-digits divisor-duel",
        "review --game dual-digits",
        "review --game number-navigator",
        "stats",
    ],
)
def test_every_number_of_a_report_is_in_its_document(played: Path, command: str) -> None:
    check(played, *command.split())


@settings(
    max_examples=settings().max_examples // 2,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    name=st.sampled_from(["dual-digits", "even-steven", "divisor-duel"]),
    start=st.one_of(st.integers(2, 5000), st.integers(10**39, 10**62)),
)
@example(name="dual-digits", start=10**60)
def test_every_number_of_a_solution_is_in_its_document(played: Path, name: str, start: int) -> None:
    check(played, "solve", name, "--start", str(start))


def test_documents_have_no_malformed_numbers_or_doubled_words() -> None:
    doubled = re.compile(r"(?i)(?<![\w-])([a-z]{2,}) \1(?![\w-])")
    twice = re.compile(r"\d,\d{4,}|\d{4,},\d")  # as in 7,7707,770
    for path in PROSE:
        # Code has commas of its own.
        text = re.sub(r"(?s)```.*?```|`[^`\n]*`|\]\([^)]*\)", " ", path.read_text())
        assert (path.name, twice.findall(text)) == (path.name, [])
        assert (path.name, doubled.findall(text)) == (path.name, [])


def test_checker_knows_roundings_lists_and_shortened_numbers() -> None:
    document = {"share": 0.618, "count": 1234, "list": [7, 8], "long": 3 * 10**49, "text": "from 5"}
    long = "30000000…00000000 (50 digits)"
    text = f"1,234 of 1234, 62%, 61.8%, 0.62, 2 in all, 5, 7 or 8; {long}; --moves 7,8"
    assert strange_numbers(text, document) == []
    for wrong in (
        "1,2341,234",
        "12,34",
        "1,235",
        "63%",
        "0.63",
        "9",
        "80000000…00000000 (50 digits)",
    ):
        assert strange_numbers(f"It has {wrong}.", document) != []
