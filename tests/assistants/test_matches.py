"""An assistant plays matches that are saved like everybody's, over both transports."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.assistants.assistant import Assistant, HttpDoor
from tests.cli.support import document, run
from tests.helpers import database
from zerosum import documents
from zerosum.players.levels import LEVELS
from zerosum.store import open_store

PLAYED = {"games", "rules", "new_match", "look", "play", "resign", "matches", "record", "review"}
AT_TABLES = {"join", "answer_offer"}
ANALYSIS = {"hint", "solve", "explain"}
AUTHORING = {"write_game", "check_game", "audit_game", "try_game"}


def play_to_the_end(assistant: Assistant, match: dict[str, Any]) -> dict[str, Any]:
    while not match["over"]:
        assert match["your_turn"]
        match = assistant.call("play", match=match["match"], move=match["legal"][-1])
    return match


def test_only_what_was_opened_is_listed(claude: Assistant, guest: Assistant) -> None:
    assert set(claude.tools()) == PLAYED | ANALYSIS | AUTHORING
    assert set(guest.tools()) == PLAYED | AT_TABLES
    for name in ANALYSIS | AUTHORING:
        guest.refused(name, "tool_error", f"There is no tool '{name}'", match="abcdefgh")


@pytest.mark.parametrize("level", LEVELS)
def test_a_game_against_each_level_is_played_to_its_end(
    level: str, request: pytest.FixtureRequest
) -> None:
    over_http = LEVELS.index(level) % 2 == 0
    assistant: Assistant = request.getfixturevalue("guest" if over_http else "claude")
    match = assistant.call("new_match", game="dual-digits", opponent=level, options={"start": 14})
    assert match["players"] == ["You", f"Computer ({level})"]
    ended = play_to_the_end(assistant, match)
    assert ended["result"] in ("won", "lost")
    assert ended["reason"].startswith(f"You {ended['result']}")
    record = assistant.call("record", match=match["match"])
    assert record["over"]
    assert record["bots"] == [None, level]
    moves = [str(move) for move in record["rounds"][0]["moves"]]
    assert moves == ended["played"]
    winner = record["rounds"][0]["end"]["winner"]
    assert ended["result"] == ("won" if winner == match["you"] else "lost")
    review = assistant.call("review", match=match["match"])
    assert [ply["move"] for ply in review["plies"]] == [*moves, None]
    assert match["match"] in [listed["match"] for listed in assistant.call("matches")["matches"]]


def test_an_illegal_move_is_refused_with_the_rule(claude: Assistant) -> None:
    match = claude.call("new_match", game="dual-digits", opponent="person")["match"]
    claude.call("play", match=match, move=3)
    refusal = claude.refused(
        *("play", "illegal_move", "Legal now: 1, 2, 4."), match=match, move="3", by="person"
    )
    assert "has just subtracted that number" in str(refusal)
    assert refusal.legal == ["1", "2", "4"]
    claude.refused("play", "unreadable_move", match=match, move="three", by="person")
    claude.refused("play", "not_your_turn", "by: person", match=match, move="1")
    claude.refused("play", "stale", "ply 1", match=match, move="1", by="person", ply=0)
    assert claude.call("look", match=match)["played"] == ["3"]


def test_matches_are_in_the_history_and_marked(claude: Assistant, user: Path) -> None:
    match = claude.call("new_match", game="even-steven", opponent="person", person="Ada")["match"]
    for by in ("you", "person", "you"):
        claude.call("play", match=match, move="1", by=by)
    listed = document(user, "history", schema="history")["matches"]
    (found,) = [each for each in listed if each["id"] == match]
    assert found["players"] == ["Ada", "Claude (assistant)"]
    assert found["assistant"] == 1
    assert f"{match}  " in run(user, "history").stdout
    shown = run(user, "show", match).stdout
    assert "Claude (assistant)" in shown
    resumed = run(user, "resume", match, typed="1\nquit\n")
    assert "Ada" in resumed.stdout
    assert claude.call("look", match=match)["played"] == ["1", "1", "1", "1"]
    ended = claude.call("resign", match=match)
    assert (ended["result"], ended["over"]) == ("lost", True)
    claude.refused("play", "match_error", "over", match=match, move="1")
    reviewed = run(user, "review", match)
    assert "Claude (assistant)" in reviewed.stdout
    exported = json.loads(run(user, "export", match).stdout)
    assert exported["players"] == ["Ada", "Claude (assistant)"]


def test_a_persons_own_matches_are_not_shown(claude: Assistant, user: Path) -> None:
    run(user, "play", "even-steven", "--names", "Ada", "Bob", typed="1\nquit\n")
    store = open_store(str(database(user)))
    try:
        own = store.matches(most=1)[0]
    finally:
        store.close()
    assert (own.players, own.assistant) == (("Ada", "Bob"), None)
    assert own.id not in [match["match"] for match in claude.call("matches")["matches"]]
    for tool in ("look", "record", "review", "hint", "solve", "resign"):
        claude.refused(tool, "unreadable", "is not one of yours", match=own.id)
    claude.refused("play", "unreadable", "is not one of yours", match=own.id, move="1")


def test_a_review_opens_when_the_match_is_over(guest: Assistant) -> None:
    match = guest.call("new_match", game="even-steven")["match"]
    guest.refused("review", "not_now", "opens when the match is over", match=match)
    assert guest.call("record", match=match)["seed"] is None


def test_analysis_is_exact_and_is_remembered(claude: Assistant, user: Path) -> None:
    match = claude.call("new_match", game="even-steven", options={"start": 16}, opponent="person")
    hint = claude.call("hint", match=match["match"])
    assert (hint["title"], hint["line"][0]["move"]) == ("Play −1 → 15.", "1")
    solved = claude.call("solve", match=match["match"])
    assert solved["exact"]
    assert {move["move"]: move["value"]["result"] for move in solved["moves"]}["1"] == "win"
    assert claude.call("explain", game="dual-digits")["theory"].startswith("The multiples of 5")
    store = open_store(str(database(user)))
    try:
        assert store.database.rows("select ply from hints where match = ?", match["match"]) == [
            (0,)
        ]
    finally:
        store.close()


def test_a_restart_in_the_middle_changes_nothing(
    claude: Assistant, guest: Assistant, door: HttpDoor
) -> None:
    match = guest.call("new_match", game="digit-battle", opponent="hard")
    door.kill()
    door.start()
    after = guest.call("play", match=match["match"], move=match["legal"][0])
    assert after["played"][0] == match["legal"][0]
    assert claude.call("look", match=match["match"]) == after
    assert guest.call("resign", match=match["match"])["over"]


def test_prompts_and_resources(claude: Assistant) -> None:
    client = claude.client
    prompts = {prompt.name: prompt for prompt in claude.run(client.list_prompts()).prompts}
    arguments = {"play_with_me": "game", "teach_me_this_game": "game"}
    arguments["turn_this_rule_book_into_a_game"] = "rules"
    assert set(prompts) == set(arguments)
    for name, argument in arguments.items():
        given = claude.run(client.get_prompt(name, {argument: "XYZZY"})).messages[0].content
        empty = claude.run(client.get_prompt(name)).messages[0].content
        assert "XYZZY" in str(getattr(given, "text", ""))
        assert "{" not in str(getattr(empty, "text", "")).replace('{"', "")
    from mcp import MCPError

    for name in ("nothing", "__init__", "../prompts"):
        with pytest.raises(MCPError, match=f"There is no prompt '{name}'"):
            claude.run(client.get_prompt(name))
    uris = [str(found.uri) for found in claude.run(client.list_resources()).resources]
    texts = {}
    for uri in [*uris, "zerosum://schemas/match"]:
        (content,) = claude.run(client.read_resource(uri)).contents
        texts[uri] = str(getattr(content, "text", ""))
    assert texts["zerosum://rules/even-steven"].startswith("# Even-Steven")
    assert texts["zerosum://add-a-game"].startswith("# Add a game of your own")
    assert json.loads(texts["zerosum://schemas/match"]) == documents.schema("match")
    assert texts["zerosum://schemas"].split() == [
        f"zerosum://schemas/{name}" for name in documents.documents()
    ]
