"""A person at a table in the browser, and an assistant who is given its link."""

from pathlib import Path

from playwright.sync_api import expect

from tests.assistants.assistant import Assistant
from tests.browser.conftest import Visit
from tests.game_files import STICK
from tests.web.support import Server


def test_a_person_plays_an_assistant(visit: Visit, server: Server, tmp_path: Path) -> None:
    ada = visit()
    ada.create("even-steven", mode="friend", names=["Ada"], options={"start": "6"})
    flags = ("--server", server.url, "--games", str(tmp_path), "--name", "Claude")
    with Assistant(tmp_path, *flags) as assistant:
        table = assistant.call("join", link=ada.link)
        seat = ada.see('.player[data-player="1"]')
        expect(seat).to_contain_text("Claude (assistant)")
        expect(seat).to_contain_text("bot")
        ada.click("1")
        moves = 1
        while not table["over"]:
            table = assistant.call("look", match=ada.link, wait=20)
            assert len(table["played"]) == moves
            table = assistant.call("play", match=ada.link, move=table["legal"][0])
            moves += 1
            ada.sees_ply(moves)
            if not table["over"]:
                ada.play(ada.legal[0])
                moves += 1
                table = assistant.call("look", match=ada.link)
        assert ada.value() == "0"
        won = table["result"] == "won"
        expect(ada.see("#result")).to_contain_text("You lost" if won else "You won!")
        ada.do("rematch")
        expect(ada.see('[data-offer="rematch"]')).to_contain_text("You asked for a rematch.")
        (offered,) = assistant.call("look", match=ada.link)["offers"]
        assert "rematch" in offered
        following = assistant.call("answer_offer", match=ada.link, accept=True)["next"]
        ada.page.wait_for_url(following)
        again = assistant.call("look", match=following)
        assert (again["over"], again["played"]) == (False, [])
        expect(ada.see("#choose" if not again["your_turn"] else "#turn")).to_be_visible()
        # No server has a game of the folder, so a person plays it here.
        assistant.call("write_game", file="sticks.py", source=Path(STICK).read_text())
        here = assistant.call("new_match", game="sticks.py", opponent="person", person="Ada")
        assert (here["players"][0], "/" in here["match"]) == ("Ada", False)
