"""Bots: programs with a name and a token, which hear of all that concerns them."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request

from tests.store.support import execute
from tests.web.bots import GAME, Bot, challenge, code_of, decline, enroll
from tests.web.support import Frozen, Inside, all_rows, new_key
from tests.web.visitors import News, Stream
from zerosum.web.routes.me import MOST_FOLLOWED, MOST_LISTED, OwnStream
from zerosum.web.tables.scheduler import DAY
from zerosum.web.tables.tokens import digest_of


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Inside]:
    with Inside(tmp_path / "a.db") as found:
        yield found


# Tokens.


def test_a_token_holds_seats_as_a_cookie_does(server: Inside) -> None:
    deep, bob = Bot(server), server.visitor()
    seen = deep.create(GAME, names=[])
    assert [player["name"] for player in seen["players"]] == ["Deep", "Player 2"]
    assert [player["program"] for player in seen["players"]] == [True, False]
    assert not deep.wire.client.cookies
    bob.join(deep.id, "Bob")
    deep.do("move", move="1")
    assert bob.see()["turn"]["yours"]
    other = Bot(server, "Other")
    seen = other.join(bob.create(GAME)["id"], name="Somebody")
    assert [player["name"] for player in seen["players"]] == ["Ada", "Other"]
    assert [player["program"] for player in seen["players"]] == [False, True]


def test_a_bearer_wins_over_a_cookie_and_needs_no_origin(server: Inside) -> None:
    ada, deep = server.visitor(), Bot(server)
    ada.create(GAME, watch=False)
    server.visitor().join(ada.id)
    elsewhere = {"origin": "https://example.org", "sec-fetch-site": "cross-site"}
    body = {"key": new_key(), "ply": 0, "action": "move", "move": "1"}
    path = f"/api/v1/matches/{ada.id}/actions"
    assert code_of(ada.post(path, body, headers=elsewhere)) == "origin"
    for scheme in ("Basic", "Digest"):  # which a browser sends by itself
        given = {**elsewhere, "authorization": f"{scheme} {deep.token}"}
        assert code_of(ada.post(path, body, headers=given)) == "origin"
    both = {**elsewhere, "authorization": f"Bearer {deep.token}"}
    assert code_of(ada.post(path, body, headers=both)) == "no_seat"
    (cookie,) = ada.wire.client.cookies.values()
    mine = {**elsewhere, "authorization": f"bearer {cookie}"}
    assert server.visitor().post(path, body, headers=mine).status_code == 200


@pytest.mark.parametrize("token", ["", "x", "x" * 63, "x" * 65, "é" * 64, f"{'x' * 64} y", "x, y"])
def test_a_malformed_bearer_is_refused_even_beside_a_cookie(server: Inside, token: str) -> None:
    ada = server.visitor()
    ada.create(GAME, watch=False)
    before = all_rows(server.db)
    headers = {"authorization": f"Bearer {token}".encode("latin-1")}
    answer = ada.get(f"/api/v1/matches/{ada.id}", headers=headers)
    assert code_of(answer) == "no_token"
    assert answer.headers["www-authenticate"] == "Bearer"
    body = {"key": new_key(), "game": GAME}
    assert code_of(ada.post("/api/v1/matches", body, headers=headers)) == "no_token"
    assert all_rows(server.db) == before


def test_what_is_stored_or_shown_is_no_token(server: Inside) -> None:
    """Whoever reads the database gets nobody's seat."""
    deep = Bot(server)
    deep.create(GAME, watch=False)
    server.visitor().join(deep.id)
    holder = digest_of(deep.token)
    assert deep.token not in repr(all_rows(server.db))
    for stolen in (holder, deep.token.swapcase()):
        headers = {"authorization": f"Bearer {stolen}"}
        answer = server.visitor().get(f"/api/v1/matches/{deep.id}", headers=headers)
        assert code_of(answer) == "private"
        assert server.visitor().get("/api/v1/me/matches", headers=headers).json() == {
            "matches": [],
            "before": None,
        }


@pytest.mark.parametrize("path", ["/api/v1/me/matches", "/api/v1/me/events"])
def test_nobody_has_no_matches(server: Inside, path: str) -> None:
    assert code_of(server.visitor().get(path)) == "no_token"


# Names.


def test_the_same_key_gives_the_same_token_again(server: Inside) -> None:
    visitor, key = server.visitor(), new_key()
    first, again = (enroll(visitor, "Deep", key) for _ in range(2))
    assert first.status_code == again.status_code == 201
    assert first.json() == again.json()
    assert (first.json()["name"], first.json()["bot"]) == ("Deep", True)
    assert code_of(enroll(visitor, "Deeper", key)) == "key_reused"
    assert code_of(enroll(visitor, "Deep", key, bot=False)) == "key_reused"
    assert not visitor.wire.client.cookies


@pytest.mark.parametrize("name", ["Deep", "DEEP", "De\ufe0fep", "\uff24eep", " Deep "])
def test_two_bots_have_no_name_in_common_but_a_person_may(server: Inside, name: str) -> None:
    Bot(server, "Deep")
    assert code_of(enroll(server.visitor(), name)) == "name_taken"
    assert enroll(server.visitor(), name, bot=False).status_code == 201


@pytest.mark.parametrize(
    "name",
    [
        "Computer (hard)",
        "computer",
        "ＣＯＭＰＵＴＥＲ",
        "Com\u034fputer",
        "Player 1",
        "You",
        "\u3164",
        "x" * 41,
        "",
        " ",
        "a\nb",
        "\u200b",
        7,
    ],
)
def test_names_that_mislead_are_refused(server: Inside, name: object) -> None:
    answer = enroll(server.visitor(), name)
    assert (code_of(answer), answer.json()["error"]["field"]) == ("invalid", "name")


def test_a_thousand_bots_from_one_address_are_too_many(tmp_path: Path) -> None:
    with Inside(tmp_path / "a.db", people_per_client=3) as server:
        codes = [enroll(server.visitor(), f"Bot {number}").status_code for number in range(6)]
        assert codes == [201] * 3 + [429] * 3
        # Without a name, one plays all the same.
        server.visitor().create(GAME)


def test_an_abandoned_bot_is_forgotten_but_keeps_its_seats(tmp_path: Path) -> None:
    with Frozen(tmp_path / "a.db") as server:
        deep, here = Bot(server, "Deep", GAME), Bot(server, "Here", GAME)
        ada = server.visitor()
        ada.id = challenge(ada).json()["id"]
        deep.join(ada.id)
        clock = server.site.tables.clock
        clock._set(clock.now() + 29 * DAY)
        here.follow()
        ada.do("coach", want="off")  # so that the match is not deleted
        clock._set(clock.now() + 2 * DAY)
        server.call(server.site.tables.scheduler.expire())
        assert code_of(challenge(ada)) == "no_bot"
        assert challenge(ada, "Here").status_code == 201
        assert deep.do("resign")["ended"]["winner"] == 0
        assert [seen["id"] for seen in deep.matches()[0]] == [ada.id]
        assert code_of(deep.post("/api/v1/me/open", {"key": new_key(), "games": []})) == "no_token"
        Bot(server, "Deep")


# Matches.


def test_matches_are_listed_the_newest_first_a_page_at_a_time(server: Inside) -> None:
    deep, ada = Bot(server), server.visitor()
    ids = [deep.create(GAME)["id"] for _ in range(MOST_LISTED)]
    ids.append(ada.create(GAME)["id"])
    deep.join(ada.id)
    deep.do("resign")
    page, before = deep.matches()
    assert before is not None
    assert {seen["id"] for seen in page} < set(ids)
    assert page[0]["id"] == ids[-1]
    assert (page[0]["over"], page[0]["ended"]["winner"]) == (True, 0)
    assert [player["name"] for player in page[0]["players"]] == ["Ada", "Deep"]
    assert [seen["waiting"] for seen in page[1:]] == [True] * (MOST_LISTED - 1)
    assert before == page[-1]["id"]
    (rest,), end = deep.matches(before)
    assert {rest["id"], *(seen["id"] for seen in page)} == set(ids)
    assert end is None
    other = Bot(server, "Other")
    assert other.matches() == other.matches(ids[0]) == ([], None)


def test_a_match_that_cannot_be_read_is_left_out(server: Inside) -> None:
    deep = Bot(server)
    ids = [deep.create(GAME)["id"] for _ in range(2)]
    execute(server.db, "update live set data = '{' where id = ?", ids[0])
    server.site.tables.memory.forget(ids[0])
    assert [seen["id"] for seen in deep.matches()[0]] == [ids[1]]


# Challenges and events.


def test_a_challenge_is_heard_and_accepted(server: Inside) -> None:
    deep, ada = Bot(server, "Deep", GAME), server.visitor()
    news = deep.follow()
    assert news.next("open").view["beat"] > 0
    made = challenge(ada)
    assert made.status_code == 201, made.text
    assert made.json()["waiting"]
    heard = news.next("challenge").view
    assert heard["id"] == made.json()["id"]
    assert heard["can"] == ["join", "decline"]
    assert [player["name"] for player in heard["players"]] == ["Player 1", "Deep"]
    assert [player["program"] for player in heard["players"]] == [False, True]
    deep.join(heard["id"], name=None)
    assert news.next().view["turn"]["player"] == 0
    ada.id = heard["id"]
    ada.do("move", move="1")
    assert news.next().view["turn"]["yours"]
    ada.do("draw")
    assert news.next().view["offers"][0]["kind"] == "draw"
    deep.do("accept", offer="draw")
    assert news.next().view["over"]


def test_a_declined_challenge_ends_without_a_game(server: Inside) -> None:
    deep, ada = Bot(server, "Deep", GAME), Bot(server, "Ada", bot=False)
    heard, told = deep.follow(), ada.follow()
    ada.id = challenge(ada).json()["id"]
    heard.next("challenge")
    assert told.next().view["players"][1]["joined"] is False
    key = new_key()
    for _ in range(2):
        answer = decline(deep, ada.id, key)
        assert answer.status_code == 200, answer.text
    for news in (heard, told):
        seen = news.next("declined").view
        assert seen["ended"]["reason"] == "Deep declined the challenge"
        assert (seen["over"], seen["can"]) == (True, [])
    assert "Deep declined the challenge." in ada.get(f"/m/{ada.id}").text
    server.site.tables.memory.forget(ada.id)  # so that it is read from the database
    for action, fields in {"resign": {}, "rematch": {}, "coach": {"want": "on"}}.items():
        assert code_of(ada.act(action, ply=0, **fields)) == "not_now"
    join = {"key": new_key()}
    assert code_of(deep.post(f"/api/v1/matches/{ada.id}/join", join)) == "seat_taken"
    assert code_of(ada.get(f"/api/v1/matches/{ada.id}/review")) == "not_now"
    (listed,), _ = ada.matches()
    assert (listed["waiting"], listed["over"]) == (False, True)


def test_an_invitation_is_declined_by_whoever_has_the_link_or_withdrawn(server: Inside) -> None:
    ada, eve = server.visitor(), server.visitor()
    ids = [ada.create(GAME, watch=False)["id"] for _ in range(2)]
    assert decline(eve, ids[0]).json()["ended"]["reason"] == "The invitation was declined"
    assert decline(ada, ids[1]).json()["ended"]["reason"] == "Ada withdrew the invitation"
    form = {"key": new_key()}
    ada.create(GAME)
    assert eve.post(f"/api/v1/matches/{ada.id}/decline", data=form).headers["location"] == (
        f"/m/{ada.id}"
    )


def test_somebody_elses_challenge_is_not_accepted_or_declined(server: Inside) -> None:
    Bot(server, "Deep", GAME)
    ada, eve = server.visitor(), Bot(server, "Eve")
    ada.id = challenge(ada).json()["id"]
    for path in ("join", "decline"):
        answer = eve.post(f"/api/v1/matches/{ada.id}/{path}", {"key": new_key()})
        assert code_of(answer) == "seat_taken"
    assert eve.see(ada.id)["can"] == []
    assert ada.see()["can"] == ["coach", "decline"]
    assert decline(ada, ada.id).json()["ended"]["reason"] == "Player 1 withdrew the invitation"


def test_only_an_open_bot_is_challenged_and_nobody_themselves(server: Inside) -> None:
    deep, ada = Bot(server), server.visitor()
    before = all_rows(server.db)
    assert code_of(challenge(ada)) == "not_open"
    assert deep.open(GAME, GAME) == [GAME]
    refused = challenge(deep)
    assert (code_of(refused), refused.json()["error"]["field"]) == ("invalid", "to")
    assert code_of(challenge(ada, "Nobody")) == "no_bot"
    assert code_of(challenge(ada, game="dual-digits")) == "not_open"
    assert code_of(challenge(ada, mode="bot")) == code_of(challenge(ada, to="")) == "invalid"
    assert code_of(challenge(ada, names=["deep"])) == "invalid"
    assert code_of(deep.post("/api/v1/me/open", {"key": new_key(), "games": ["x"]})) == "no_game"
    assert deep.open() == []
    assert code_of(challenge(ada)) == "not_open"
    assert all_rows(server.db)["live"] == before["live"]
    person = Bot(server, "Ada", bot=False)
    answer = person.post("/api/v1/me/open", {"key": new_key(), "games": [GAME]})
    assert code_of(answer) == "no_token"


def test_challenges_of_one_address_are_limited(tmp_path: Path) -> None:
    with Inside(tmp_path / "a.db", waiting_per_client=2) as server:
        Bot(server, "Deep", GAME)
        made = [challenge(server.visitor()) for _ in range(3)]
        assert [answer.status_code for answer in made] == [201, 201, 429]
        assert code_of(made[2]) == "too_many"
        server.visitor().create(GAME)  # an ordinary invitation disturbs nobody


def test_a_declined_challenge_waits_no_longer(tmp_path: Path) -> None:
    with Inside(tmp_path / "a.db", waiting_per_client=1) as server:
        deep, ada = Bot(server, "Deep", GAME), server.visitor()
        for _ in range(2):
            made = challenge(ada)
            assert made.status_code == 201
            decline(deep, made.json()["id"])
        ada.id = challenge(ada).json()["id"]
        assert [event.view["id"] for event in first(deep.follow(), 1)] == [ada.id]


def test_a_stream_begins_with_all_that_is_unfinished(server: Inside) -> None:
    deep, ada = Bot(server, "Deep", GAME), server.visitor()
    ids = [ada.create(GAME)["id"] for _ in range(3)]
    for id_ in ids:
        deep.join(id_)
    deep.do("resign")
    invited = challenge(ada).json()["id"]
    news = deep.follow()
    heard = {(event.kind, event.view["id"]) for event in first(news, 3)}
    assert heard == {("table", ids[0]), ("table", ids[1]), ("challenge", invited)}


def first(news: Stream, most: int) -> list[News]:
    """Return the first events of a stream that have a table, which come in any order."""
    found: list[News] = []
    while len(found) < most:
        event = news.poll()
        assert event is not None
        found += [event] if event.id else []
    return found


def test_a_rematch_is_heard_by_both(server: Inside) -> None:
    deep, ada = Bot(server, "Deep", GAME), server.visitor()
    ada.id = challenge(ada).json()["id"]
    deep.join(ada.id)
    deep.do("resign")
    news = deep.follow()
    ada.do("rematch")
    deep.do("rematch")
    while (seen := news.next().view)["id"] == ada.id:
        pass
    assert [player["program"] for player in seen["players"]] == [False, True]


def test_many_matches_do_not_fill_a_stream(server: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zerosum.web.routes.me.MOST_FOLLOWED", 2)
    assert MOST_FOLLOWED > 100
    deep = Bot(server)
    ids = [deep.create(GAME)["id"] for _ in range(4)]
    news = deep.follow()
    news.next()
    news.next()
    for id_ in ids:
        server.visitor().join(id_)
        while news.next().view["id"] != id_:
            pass
    assert server.call(_followed(server)) <= 2 + 1  # the matches, and the person
    news.close()
    assert server.call(_followed(server)) == 0
    assert server.watching == (0, 0)


async def _followed(server: Inside) -> int:
    """Count what streams watch."""
    return len(server.site.tables.memory._watchers)


# The list of bots.


def test_open_and_connected_bots_are_listed_where_the_operator_allows_it(server: Inside) -> None:
    visitor = server.visitor()
    assert code_of(visitor.get("/api/v1/bots")) == "no_bots"
    server.site.settings = server.site.settings._replace(bots=True)

    def listed() -> object:
        return visitor.get("/api/v1/bots").json()["bots"]

    deep = Bot(server, "Deep", GAME)
    Bot(server, "Closed").follow()
    assert listed() == []
    news = deep.follow()
    assert listed() == [{"name": "Deep", "games": [GAME]}]
    deep.open()
    assert listed() == []
    deep.open("dual-digits", GAME)
    assert listed() == [{"name": "Deep", "games": ["dual-digits", GAME]}]
    news.close()
    assert listed() == []


def test_the_home_page_challenges_listed_bots(server: Inside) -> None:
    deep, ada = Bot(server, "<Deep>", GAME), server.visitor()
    news = deep.follow()
    assert "Deep" not in ada.get("/").text
    server.site.settings = server.site.settings._replace(bots=True)
    page = ada.get("/").text
    assert "&lt;Deep&gt;" in page
    (form,) = re.findall(
        r'<form[^>]*class="row">(.*?)</form>', page.partition('id="bots"')[2], re.S
    )
    fields = dict(re.findall(r'name="(\w+)"[^>]*value="([^"]*)"', form))
    fields["game"] = re.findall(r'<option value="([^"]*)"', form)
    answer = ada.post("/api/v1/matches", data={**fields, "to": "<Deep>"})
    assert answer.status_code == 303
    assert news.next("challenge").view["link"].endswith(answer.headers["location"])
    waiting = ada.get(answer.headers["location"]).text
    assert "You challenge &lt;Deep&gt;" in waiting
    assert "Invite your friend" not in waiting


def test_pages_offer_to_decline_and_mark_bots(server: Inside) -> None:
    ada, eve = server.visitor(), server.visitor()
    ada.create(GAME)
    for visitor, words in ((ada, "Withdraw the invitation"), (eve, "Decline")):
        (action,) = re.findall(
            rf'action="([^"]*/decline)">.{{1,200}}<button class="quiet">{words}<',
            visitor.get(f"/m/{ada.id}").text,
            re.S,
        )
    assert action == f"/api/v1/matches/{ada.id}/decline"
    Bot(server).join(ada.id)
    assert [tags[:1] for tags in ada.see()["captions"]["tags"]] == [["your move"], ["bot"]]


def test_the_coach_is_off_in_a_game_with_a_bot_unless_both_agree(server: Inside) -> None:
    deep, ada = Bot(server), server.visitor()
    deep.join(ada.create(GAME, coach="on")["id"])
    for visitor in (deep, ada):
        assert code_of(visitor.get(f"/api/v1/matches/{ada.id}/coach")) == "coach_not_agreed"
    assert deep.do("coach", want="ask")["coach"]["open"]
    assert deep.get(f"/api/v1/matches/{ada.id}/coach").status_code == 200


def test_a_bot_has_the_number_lines_without_a_picture(server: Inside) -> None:
    deep, ada = Bot(server), server.visitor()
    deep.join(ada.create(GAME)["id"])
    assert deep.see()["lines"] == ada.see()["lines"] != []
    assert ada.see()["picture"].startswith("<svg")
    assert deep.see()["picture"] == ""


def test_a_stream_that_nobody_reads_keeps_no_events(server: Inside) -> None:
    """It holds one table at most; what changes meanwhile is remembered as a match, not sent."""
    deep, ada = Bot(server), server.visitor()
    ids = [ada.create(GAME)["id"] for _ in range(3)]
    for id_ in ids:
        deep.join(id_)
    sent: list[bytes] = []

    async def unread() -> set[str]:
        """Open a stream whose reader has stopped, and return what waits after many changes."""
        scope = {"type": "http", "headers": [], "state": {"client": "x", "origin": "http://x"}}
        stream = OwnStream(server.site, Request(scope), digest_of(deep.token))
        stuck = asyncio.Event()

        async def send(message: Any) -> None:
            sent.append(message.get("body", b""))
            if b"event: table" in sent[-1]:
                stuck.set()
                await asyncio.Event().wait()

        async def receive() -> Any:
            await asyncio.Event().wait()

        task = asyncio.create_task(stream(scope, receive, send))
        await stuck.wait()
        for id_ in ids * 1000:
            server.site.tables.memory._wake(id_, digest_of(deep.token))
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return stream.pending

    assert server.call(unread()) == set(ids)
    assert b"".join(sent).count(b"event: table") == 1
    assert server.watching == (0, 0)
