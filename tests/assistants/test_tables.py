"""An assistant at the tables of a server, with a person who plays through the API of the page."""

from pathlib import Path

from tests.assistants.assistant import Assistant
from tests.store.support import execute
from tests.web.support import Server, new_key


def test_a_whole_game_and_a_rematch_at_a_table(guest: Assistant, server: Server) -> None:
    ada = server.visitor()
    ada.create("even-steven", mode="friend", names=["Ada"], options={"start": "6"})
    link = f"{server.url}/m/{ada.id}"
    table = guest.call("join", link=link)
    assert (table["match"], table["players"]) == (link, ["Ada", "You"])
    assert not table["your_turn"]
    assert guest.call("join", link=link) == table  # it sits there
    guest.refused("play", "not_your_turn", match=link, move="1")
    guest.refused("play", "match_error", "in the browser", match=link, move="1", by="person")
    seat = ada.see()["players"][1]
    assert seat["name"].startswith("Assistant")
    assert seat["program"]
    while not table["over"]:
        if table["your_turn"]:
            refusal = guest.refused("play", "illegal_move", "Legal now: ", match=link, move="9")
            assert "The choices are" in str(refusal)
            table = guest.call("play", match=link, move=table["legal"][0], ply=table["ply"])
        else:
            ada.do("move", move=table["legal"][0])
            table = guest.call("look", match=link, wait=20)
    ended = guest.call("look", match=link)
    assert ended["over"]
    assert ended["result"] in ("won", "lost")
    assert guest.call("record", match=link)["players"] == ["Ada", seat["name"]]
    assert len(guest.call("review", match=link)["plies"]) == len(ended["played"]) + 1
    ada.do("rematch")
    assert guest.call("look", match=link)["offers"]
    again = guest.call("answer_offer", match=link, accept=True)["next"]
    assert again != link
    assert not guest.call("look", match=again)["over"]
    listed = guest.call("matches")["matches"]
    assert {link, again} <= {match["match"] for match in listed}


def test_an_assistant_invites_a_person_and_waits(guest: Assistant, server: Server) -> None:
    table = guest.call("new_match", game="dual-digits", opponent="person", you_begin=False)
    link = table["match"]
    assert link.startswith(f"{server.url}/m/")
    assert table["waiting"]
    bob = server.visitor()
    bob.join(link.rpartition("/")[2], "Bob")
    bob.do("move", move="1")
    table = guest.call("look", match=link, wait=20)
    assert table["your_turn"]
    assert table["said"][-1].startswith("Bob: subtract 1")
    assert guest.call("play", match=link, move="4")["played"] == ["1", "4"]
    bob.do("resign")
    assert guest.call("look", match=link)["result"] == "won"


def test_the_games_of_a_series_follow_each_other(guest: Assistant, server: Server) -> None:
    ada = server.visitor()
    ada.create("even-steven", games=2)
    link = f"{server.url}/m/{ada.id}"
    guest.call("join", link=link)
    ada.do("resign")
    table = guest.call("look", match=link)
    assert (table["over"], table["result"], table["legal"]) == (False, None, [])
    assert table["reason"] == "You won! Ada resigned."
    ada.do("next")
    table = guest.call("look", match=link, wait=20)
    assert table["your_turn"]
    assert guest.call("resign", match=link)["result"] == "draw"


def test_a_server_that_restarts_is_waited_for(guest: Assistant, server: Server) -> None:
    link = guest.call("new_match", game="dual-digits", opponent="person")["match"]
    bob = server.visitor()
    bob.join(link.rpartition("/")[2], "Bob")
    server.kill()
    server.start()
    assert guest.call("play", match=link, move="1")["played"] == ["1"]


def test_its_token_is_its_own_and_outlives_its_name(
    user: Path, guest: Assistant, server: Server
) -> None:
    before = guest.call("new_match", game="dual-digits", opponent="person")["match"]
    folder = user / ".local/share/zerosum"
    assert {file.stat().st_mode & 0o777 for file in (folder / "assistants").iterdir()} == {0o600}
    assert not (folder / "servers").exists()
    execute(server.db, "delete from people")  # whoever stays away is forgotten
    other = server.visitor()
    body = {"key": new_key(), "name": "Assistant"}
    assert other.post("/api/v1/me", body).status_code == 201
    after = guest.call("new_match", game="dual-digits", opponent="person")["match"]
    seat = other.see(after.rpartition("/")[2])["players"][0]
    assert (seat["name"], seat["program"]) == ("Assistant 2", True)
    assert guest.call("look", match=before)["you"] == 0
    assert guest.call("new_match", game="dual-digits", opponent="person")["waiting"]


def test_no_other_server_is_reached(guest: Assistant, claude: Assistant, server: Server) -> None:
    ours = server.url.rpartition(":")[2]
    elsewhere = (
        "http://127.0.0.1:1/m/abc",
        f"http://localhost:{ours}/m/abc",
        f"https://127.0.0.1:{ours}/m/abc",
        f"http://127.0.0.1:{ours}@evil.example/m/abc",
        f"http://127.0.0.1:{ours}.evil.example/m/abc",
        "http://169.254.169.254/m/latest",
        "file:///etc/passwd",
        f"{server.url}/m/../../etc",
        f"{server.url}/api/v1/me",
    )
    for link in elsewhere:
        for tool, name in (("join", "link"), ("look", "match"), ("resign", "match")):
            refusal = guest.refused(tool, "server_error", **{name: link})
            assert "is another server" in str(refusal) or "is neither" in str(refusal)
    claude.refused("look", "server_error", "may be reached: none", match=f"{server.url}/m/abc")
    guest.refused("look", "no_match", match=f"{server.url}/m/abc")
    guest.refused("join", "server_error", "not the link of a match", link=server.url)


def test_a_seat_that_is_taken_is_not_given_away(guest: Assistant, server: Server) -> None:
    ada, bob = server.visitor(), server.visitor()
    ada.create("even-steven", mode="friend")
    bob.join(ada.id, "Bob")
    link = f"{server.url}/m/{ada.id}"
    guest.refused("join", "match_error", "Both seats of this table are taken.", link=link)
    guest.refused("look", "match_error", "no seat", match=link)
    guest.refused("play", "no_seat", match=link, move="1")
