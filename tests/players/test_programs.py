"""Programs that are asked: good ones, and all the ways in which others fail."""

import json
import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import zerosum
from tests.games import GAMES_FILE
from tests.helpers import eventually
from tests.players.engines import EXAMPLE, command, engine, script
from zerosum.match import Match
from zerosum.players.asked import PlayerFailed, PlayerFault, UnknownPlayer, moves_of
from zerosum.players.engines import Engine
from zerosum.players.programs import FLUSH, ProgramLimits, ProgramPlayer, split_command

GAME = zerosum.game("dual-digits")
START = GAME.initial()
PLAYS_FIRST = "say(id=id, move=moves[0])"
PATIENT = ProgramLimits(restarts=2)
# For programs that do not answer; a first answer has the time of the start, however busy we are.
SHORT = PATIENT._replace(answer=0.2)
PAGE = EXAMPLE.parents[1] / "engines.md"

# What a program says to a question, and how that is understood.
SAID: list[tuple[str, Any]] = [
    ('say(id=id, moves={"1": 0.25, "2": 0.75, "9": 0})', {1: 0.25, 2: 0.75}),
    ('say(id=id, move="2")', 2),
    ("print(); say(id=id, move=2, comment='sure')", 2),
    ("say(id=id, move=2, error=None)", 2),
    ("say(id=id, move=9)", "illegal"),
    ("say(id=id, move=[1])", "unreadable"),
    ('say(id=id, move=1, moves={"1": 1})', "unreadable"),
    ("say(id=id)", "unreadable"),
    ("say(id=id + 1, move=1)", "unreadable"),
    ("print('I take 1', flush=True)", "unreadable"),
    ("print('[1]', flush=True)", "unreadable"),
    ("print('[' * 100000, flush=True)", "unreadable"),
    ("""print('{"id": %d, "move": %s}' % (id, "9" * 300000), flush=True)""", "unreadable"),
    ("sys.stdout.buffer.write(bytes([255, 10])); sys.stdout.flush()", "unreadable"),
    ('say(id=id, error="I give up")', "refused"),
    ('say(id=id, error="1,000 tokens", fault="cut-off")', "cut-off"),
    ('say(id=id, error="No", fault=["late"])', "refused"),
]


def answers(words: list[str], times: int = 1, limits: ProgramLimits = PATIENT) -> list[Any]:
    """Ask a program about the start several times; list its answers and kinds of faults."""
    found: list[Any] = []
    with ProgramPlayer(GAME, words, limits=limits) as player:
        for _ in range(times):
            try:
                said = player.ask(START)
                moves = moves_of(GAME, START, said)
                found.append(moves if isinstance(said, dict) else next(iter(moves)))
            except PlayerFault as fault:
                found.append(fault.kind)
    return found


def failure(words: list[str], limits: ProgramLimits = PATIENT, **more: Any) -> str:
    """Ask a program until it cannot be asked any more; return what is said about it."""
    with ProgramPlayer(GAME, words, limits=limits, **more) as player:
        for _ in range(20):
            try:
                player.ask(START)
            except PlayerFault:
                continue
            except PlayerFailed as failed:
                return str(failed)
    pytest.fail("it did not fail")


def has_ended(pid: int) -> bool:
    """Return whether a process has ended, though nobody may have waited for it yet."""
    try:
        return ") Z " in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return True


def test_the_example_plays_the_last_move() -> None:
    assert len(EXAMPLE.read_text().splitlines()) < 30
    assert answers(command(EXAMPLE), 2) == [4] * 2
    letters = zerosum.game(f"{GAMES_FILE}:Letters")
    with ProgramPlayer(letters, command(EXAMPLE)) as player:
        assert player.ask(letters.initial()) == "b"


def messages(page: str) -> list[Any]:
    """Return the messages that a page shows."""
    shown = page.split("```json\n")[1:]
    return [json.loads(line) for block in shown for line in block.partition("```")[0].splitlines()]


def test_the_page_shows_what_is_sent_and_what_may_be_answered(tmp_path: Path) -> None:
    log, state = tmp_path / "log", GAME.play(START, 1)
    measured, *_ = PAGE.read_text().split("## Whole games")
    hello, ready, refuses, question, *answered = messages(measured)
    says = [ready, *({**answer, "id": number} for number, answer in enumerate(answered, 1))]
    words = script(
        tmp_path,
        "import sys\n"
        f"for answer in {[json.dumps(line) for line in says]}:\n"
        f"    with open({str(log)!r}, 'a') as log: log.write(sys.stdin.readline())\n"
        "    print(answer, flush=True)\n",
    )
    with ProgramPlayer(GAME, words, actions=(1, 2, 3, 4)) as player:
        assert [player.ask(state, 1), player.ask(state, 2)] == [4, {"2": 0.25, "4": 0.75}]
        assert player.deterministic
        with pytest.raises(PlayerFault, match="I do not know"):
            player.ask(state, 3)
    sent = [json.loads(line) for line in log.read_text().splitlines()]
    assert sent == [hello, *({**question, "id": number, "sample": number} for number in (1, 2, 3))]
    assert refuses.keys() == {"error"}


def test_the_page_shows_what_is_sent_in_a_game(tmp_path: Path) -> None:
    _, _, page = PAGE.read_text().partition("## Whole games")
    ready, game, first, second, third = messages(page)
    log, says = tmp_path / "log", [ready, None, *({"id": id_, "move": 3} for id_ in (1, 2, 3))]
    says[2]["move"], says[4]["move"] = 4, 1
    words = script(
        tmp_path,
        "import sys\n"
        f"for answer in {[line and json.dumps(line) for line in says]}:\n"
        f"    with open({str(log)!r}, 'a') as log: log.write(sys.stdin.readline())\n"
        "    if answer: print(answer, flush=True)\n",
    )
    match = Match.new(GAME, games=3).play(1)
    with Engine(GAME, f"exec:{shlex.join(words)}") as player:
        match = match.play(player.move(match)).play(3)
        assert player.move(match) == 1
    _, *sent = [json.loads(line) for line in log.read_text().splitlines()]
    assert sent == [game, first, second, third]


@pytest.fixture
def long_numbers() -> Iterator[None]:
    """Let numbers of any length be read, as the command does."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    yield
    sys.set_int_max_str_digits(limit)


@pytest.mark.usefixtures("long_numbers")
def test_answers_and_faults(tmp_path: Path) -> None:
    # The program goes on after a fault of its own.
    says = (f"if id == {number}: {does}" for number, (does, _) in enumerate(SAID, 1))
    words = engine(tmp_path, *says, f"if id > {len(SAID)}: {PLAYS_FIRST}")
    found = answers(words, len(SAID) + 1, ProgramLimits(restarts=0))
    expected = [answer for _, answer in SAID]
    assert dict(enumerate(found)) == dict(enumerate([*expected, 1]))


def test_more_answers_to_earlier_questions_are_dropped(tmp_path: Path) -> None:
    twice = engine(tmp_path, PLAYS_FIRST, "say(id=id, move=9)")
    assert answers(twice, 3) == [1] * 3
    late = engine(tmp_path, "if id == 1: print('wait', flush=True)", "say(id=id, move=id)")
    assert answers(late, 3) == ["unreadable", 2, 3]


def test_program_that_hangs_is_not_waited_for(tmp_path: Path) -> None:
    words = engine(tmp_path, "if number == 2: time.sleep(60)", PLAYS_FIRST)
    assert answers(words, 3, SHORT) == [1, "late", 1]
    message = failure(words, SHORT._replace(answer=0.1))
    assert message.endswith("failed 3 times. The last time: No answer came within 0.1 s.")


def test_program_that_never_answers_is_not_started_again(tmp_path: Path) -> None:
    message = failure(engine(tmp_path, "time.sleep(60)"), ProgramLimits(first=0.2))
    assert message.endswith("failed: No answer came within 0.2 s.")


def test_program_that_dies_is_started_again_only_a_few_times(tmp_path: Path) -> None:
    words = engine(
        tmp_path,
        "if number == 3: print('no\\nmore\\x1b[31m coffee', file=sys.stderr); sys.exit(3)",
        PLAYS_FIRST,
    )
    assert answers(words, 6) == [1, 1, "crash"] * 2
    message = failure(words)
    assert "engine.py failed 3 times. The last time: " in message
    assert "It ended with exit code 3." in message
    assert message.endswith("Its standard error ends with:\n  no\n  more�[31m coffee")
    killed = engine(tmp_path, "os.kill(os.getpid(), signal.SIGSEGV)")
    assert "It was killed by signal 11 (" in failure(killed)


def test_program_that_says_too_much_is_ended(tmp_path: Path) -> None:
    words = engine(tmp_path, "while number == 1: print('x' * 100000, end='')", PLAYS_FIRST)
    assert answers(words, 2) == ["cut-off"] * 2
    flood = engine(tmp_path, "while True: say(id=1, move=2)", PLAYS_FIRST)
    assert answers(flood, 2, SHORT) == [2, "late"]
    errors = engine(tmp_path, "sys.stderr.write('x' * 1000000)", PLAYS_FIRST)
    assert answers(errors, 2) == [1] * 2


def test_program_that_closes_its_output_is_ended(tmp_path: Path) -> None:
    words = engine(tmp_path, "os.close(1); time.sleep(60)")
    assert "It closed its standard output." in failure(words, ProgramLimits(restarts=0))


def test_program_ends_with_all_that_it_has_started(tmp_path: Path) -> None:
    words = engine(
        tmp_path,
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)",
        "child = os.fork() or time.sleep(60)",
        'say(id=id, error=f"{os.getpid()} {child}")',
        "time.sleep(60)",
    )
    with ProgramPlayer(GAME, words) as player, pytest.raises(PlayerFault) as fault:
        player.ask(START)
    pids = [int(pid) for pid in str(fault.value).split()]
    eventually(lambda: all(map(has_ended, pids)))


def test_long_message_is_sent_while_the_program_reads(tmp_path: Path) -> None:
    many = range(100_000)
    with ProgramPlayer(GAME, engine(tmp_path, PLAYS_FIRST), many) as player:
        assert player.ask(START) == 1
    deaf = script(tmp_path, "import time; time.sleep(60)")
    message = failure(deaf, ProgramLimits(start=0.1), actions=many)
    assert message.endswith(f"is not ready: No answer came within 0.1 s.{FLUSH}")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("print('Loading', flush=True)", "must be a JSON object, not: Loading"),
        ("print('{}', flush=True)", 'must be {"type": "ready", "protocol": 1}, with'),
        (
            """print('{"type": "ready", "protocol": true}', flush=True)""",
            'not: {"type": "ready", "protocol": true}',
        ),
        (
            """print('{"error": "I only play chess."}', flush=True)""",
            "not ready: I only play chess.",
        ),
        ("raise SystemExit('no coffee')", "It ended with exit code 1. Its standard error ends"),
    ],
)
def test_program_that_is_not_ready(tmp_path: Path, text: str, says: str) -> None:
    assert says in failure(script(tmp_path, f"{text}; input()"))


def test_program_that_cannot_be_started(tmp_path: Path) -> None:
    assert failure(["./missing"]) == "./missing cannot be started: No such file or directory."
    assert "Permission denied" in failure([str(tmp_path)])
    (tmp_path / "text").write_text("hello")
    (tmp_path / "text").chmod(0o755)
    assert "Exec format error" in failure([str(tmp_path / "text")])
    assert "cannot be started: embedded null byte." in failure(["a\0b"])
    for command_line, says in (("", "empty"), ("'a", "No closing quotation")):
        with pytest.raises(UnknownPlayer, match=says):
            split_command(command_line)


def test_identity_is_that_of_the_files_on_the_command_line(tmp_path: Path) -> None:
    def identity(*more: str, limits: ProgramLimits = PATIENT) -> str:
        return ProgramPlayer(GAME, [*words, *more], limits=limits).identity

    words = engine(tmp_path, PLAYS_FIRST)
    before = identity()
    assert identity() == before
    assert identity(limits=ProgramLimits(answer=1.0)) == before
    assert identity("--fast") != before
    engine(tmp_path, "say(id=id, move=2)")
    assert identity() != before
    assert os.path.basename(ProgramPlayer(GAME, words).name) == "engine.py"
