"""Programs that the operator of a server has named, as opponents."""

import shlex
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.game_files import STICK
from tests.helpers import eventually
from tests.players.engines import command, engine
from tests.players.test_engines import COPYCAT
from tests.web.bots import code_of
from tests.web.support import Frozen, Inside, Visitor, new_key
from zerosum.players.asked import FAULT_KINDS
from zerosum.web.analysis.engines import FAULTS
from zerosum.web.limits import ServerLimits
from zerosum.web.tables.service import STUCK_SECONDS

PROGRAM = "engine:Copycat"
START = {"dual-digits": "2", "even-steven": "1"}
# What a program does with a question, and what people are told.
BROKEN = {
    "time.sleep(60)": "did not answer in time",
    "say(id=id, move=9)": "gave no legal move",
    "sys.exit('no coffee')": "stopped unexpectedly",
}


@pytest.fixture
def broken(tmp_path: Path) -> Iterator[Frozen]:
    """A server with a program that each test writes."""
    program = {"Deep": shlex.join(command(tmp_path / "engine.py"))}
    with Frozen(tmp_path / "db", engines=program, engine_seconds=0.5) as server:
        yield server


def test_program_plays_where_levels_do(tmp_path: Path) -> None:
    programs = {"Copycat": shlex.join(command(COPYCAT))}
    with Frozen(tmp_path / "db", engines=programs, files=(STICK,)) as server:
        ada = server.visitor()
        assert ada.get("/api/v1/games").json()["programs"] == [PROGRAM]
        for page in ("/", "/new/even-steven"):
            assert f'value="{PROGRAM}"' in ada.get(page).text
        ada.create(mode="bot", level=PROGRAM, games=2, options={"start": "8"})
        for move in "1", "1":
            ada.act("move", move=move)
            view = server.let_it_move(ada)
        assert view["played"] == ["1"] * 4
        ada.act("move", move="2")
        assert server.let_it_move(ada)["played"][4:] == ["2", "2"]
        assert [player["bot"] for player in view["players"]] == [None, PROGRAM]
        assert view["players"][1]["name"] == "Computer (Copycat)"
        ada.act("draw")
        assert "only chooses moves, so it cannot be offered a draw" in ada.see()["news"][-1]["text"]
        ada.act("resign")
        begun = ada.do("next")
        assert server.let_it_move(ada)["played"] == ["1"], begun
        assert (
            ada.do("resign")["captions"]["onward"][1]["action"] == "home"
        )  # there is no next level
        ada.create("last-stick", mode="bot", level=PROGRAM)  # somebody's own rules, asked elsewhere
        ada.act("move", move="2")
        assert server.let_it_move(ada)["played"] == ["2", "2"]


def test_programs_that_are_not_offered(tmp_path: Path) -> None:
    programs = {"Copycat": shlex.join(command(COPYCAT))}
    with Frozen(tmp_path / "db", engines=programs) as server:
        ada = server.visitor()
        body = {"key": new_key(), "game": "even-steven"}
        for level in ("engine:Deep", "exec:sh", "Copycat", f"{PROGRAM}\n"):
            refused = ada.post("/api/v1/matches", {**body, "level": level})
            assert (refused.status_code, refused.json()["error"]["field"]) == (422, "level")
        ada.create(mode="bot", level=PROGRAM)
        ada.act("move", move="1")
    with Frozen(tmp_path / "db") as server:
        view = server.let_it_move(ada.at(server))
        assert "is not offered by this server any more" in view["news"][-1]["text"]
        assert code_of(ada.at(server).act("move", move="1")) == "not_your_turn"


def test_every_fault_of_a_program_is_told() -> None:
    assert set(FAULTS) == set(FAULT_KINDS)


@pytest.mark.parametrize(("does", "says"), BROKEN.items(), ids=range(len(BROKEN)))
def test_broken_program_is_a_message_and_the_match_waits(
    broken: Frozen, tmp_path: Path, does: str, says: str
) -> None:
    engine(tmp_path, does)
    ada = broken.visitor()
    ada.create(mode="bot", level="engine:Deep", names=["Ada"])
    ada.act("move", move="1")
    view = broken.let_it_move(ada)
    text = f"Computer (Deep) {says}. It will try again; you can also take back your move, or resign"
    assert (view["news"][-1]["kind"], view["news"][-1]["text"]) == ("stuck", f"{text}.")
    assert view["played"] == ["1"]
    assert view["captions"]["turn"] == "Computer (Deep) has no move yet"
    engine(tmp_path, "say(id=id, move=moves[0])")  # mended
    for _ in range(11):  # a longer step would be a server that was asleep
        view = broken.let_it_move(ada, STUCK_SECONDS / 10)
    assert (view["played"], view["turn"]["yours"]) == (["1", "1"], True)


def test_slow_program_holds_up_nobody_else(tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    slow = engine(tmp_path, f"open({str(asked)!r}, 'w').close(); time.sleep(60)")
    programs = {"Slow": shlex.join(slow), "Copycat": shlex.join(command(COPYCAT))}
    with Inside(tmp_path / "db", engines=programs) as server:
        ada, bob, eve = (server.visitor() for _ in range(3))
        ada.create(mode="bot", level="engine:Slow")
        ada.act("move", move="1")
        eventually(asked.exists)
        bob.create(mode="bot", level=PROGRAM)
        eve.create(mode="bot", level="random")
        for visitor in (bob, eve):
            visitor.act("move", move="1")
            eventually(partial(has_two_moves, visitor))
        assert ada.see()["played"] == ["1"]
        assert ada.see()["news"][-1]["kind"] != "stuck"


def test_processes_are_few_and_end_with_the_server(tmp_path: Path) -> None:
    log = tmp_path / "log"
    words = engine(
        tmp_path, f"open({str(log)!r}, 'a').write(f'{{os.getpid()}} ')", "say(id=id, move=1)"
    )
    with Frozen(tmp_path / "db", engines={"Deep": shlex.join(words)}, engine_processes=1) as server:
        for game in ("dual-digits", "even-steven", "dual-digits"):
            ada = server.visitor()
            ada.create(game, mode="bot", level="engine:Deep")
            ada.act("move", move=START[game])
            assert server.let_it_move(ada)["played"] == [START[game], "1"]
        first, second, third = map(int, log.read_text().split())
        eventually(lambda: not alive(second))
        assert len({first, second, third}) == 3
        assert alive(third)
    eventually(lambda: not alive(third))
    assert ServerLimits().engine_processes == 2


def has_two_moves(visitor: Visitor) -> bool:
    """Return whether somebody's move was answered."""
    return len(visitor.see()["played"]) == 2


def alive(pid: int) -> bool:
    """Return whether a process is there, and has not ended."""
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
