"""The interface is as described: Schemathesis tries everything the description promises."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import load_all_checks
from schemathesis.specs.openapi.checks import positive_data_acceptance
from starlette.routing import Mount, Route

import zerosum
from tests.game_files import NOUGHTS, write
from tests.web.asgi import ask
from tests.web.bad_requests import ALL
from tests.web.support import Inside, Server, Stream, Visitor, new_key
from zerosum.errors import Unwritable
from zerosum.web.refusals import STATUS
from zerosum.web.routes.asking import KEY
from zerosum.web.routes.openapi import GAME, MATCH, openapi

schema = schemathesis.openapi.from_dict(openapi())
EXAMPLES = 20
GAMES = (*zerosum.games(), "noughts-and-crosses")
bounded = settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
PAGES = {
    "/",
    "/new/{game}",
    "/rules/{game}",
    "/explore/{game}",
    "/puzzles",
    "/m/{id}",
    "/m/{id}/review",
    "/m/{id}/next",
    "/openapi.json",
    "/pictures.css",
}


class Running(NamedTuple):
    """A server, with matches of all kinds that one visitor has seats in."""

    server: Server
    session: requests.Session
    seats: list[tuple[str, str]]

    def check(self, case: Any, **more: Any) -> None:
        """Send a request, and hold the answer against all that is described.

        What fits the description may still break a rule of a game, or of a match as it stands:
        so that a good request is accepted is not among the checks.
        """
        case.call_and_validate(
            base_url=self.server.url,
            session=self.session,
            excluded_checks=[positive_data_acceptance],
            timeout=30,
            **more,
        )
        self.session.cookies.clear()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("contract")
    with (
        Server(folder / "a.db", folder, "--quiet", NOUGHTS) as server,
        requests.Session() as session,
    ):
        session.trust_env = False
        load_all_checks()
        yield Running(server, session, list(seats(server)))


def seats(server: Server) -> Iterator[tuple[str, str]]:
    """Create matches of all kinds, and return their ids and the tokens of their seats."""
    ada, bob = server.visitor(), server.visitor()
    for fields in (
        {"mode": "here", "games": 99},
        {"mode": "here", "game": "digit-battle"},
        {"mode": "here", "game": "noughts-and-crosses", "games": 99},
        {"mode": "bot", "level": "random", "game": "number-navigator", "games": 99},
        {"mode": "friend", "games": 99},
        {"mode": "friend", "watch": False},
        {"mode": "friend", "coach": "on"},
        {"mode": "friend"},
    ):
        game = str(fields.pop("game", "even-steven"))
        id_ = ada.create(game, **fields)["id"]
        if fields["mode"] == "friend" and fields != {"mode": "friend"}:
            bob.join(id_)
        jar = ada.wire.client.cookies.jar  # type: ignore[attr-defined]
        yield id_, next(cookie.value for cookie in jar if cookie.path == f"/m/{id_}")
    for game, moves, end in (
        *[("even-steven", "1 2 1", "resign")] * 2,
        ("noughts-and-crosses", "b2 a1 c3", "draw"),
    ):
        ada.create(game, mode="here", names=["Ada", "Bob"])
        for move in moves.split():
            ada.do("move", move=move)
        ada.do(end)
        jar = ada.wire.client.cookies.jar  # type: ignore[attr-defined]
        yield ada.id, next(cookie.value for cookie in jar if cookie.path == f"/m/{ada.id}")


@schema.parametrize()
@bounded
def test_every_answer_matches_its_schema(case: Any, running: Running) -> None:
    """Requests about matches that do not exist, with random fields."""
    running.check(case)


@schema.exclude(operation_id=["events", "games", "healthz"]).parametrize()
@bounded
def test_answers_about_existing_matches_match_their_schema(case: Any, running: Running) -> None:
    """Requests about existing games and matches, with a seat and the current ply."""
    cookies = filled(case, running)
    running.check(case, cookies=cookies)


def filled(case: Any, running: Running) -> dict[str, str]:
    """Replace possible values by existing ones; impossible values stay."""
    body = case.body if isinstance(case.body, dict) else {}
    if fits(body.get("key"), KEY["pattern"]):
        body["key"] = new_key()
    if fits(body.get("id"), "^.{1,100}$"):
        body["id"] = running.session.get(f"{running.server.url}/api/puzzle").json()["id"]
    given = case.path_parameters.get("game")
    if fits(given, GAME["schema"]["pattern"]):
        case.path_parameters["game"] = GAMES[sum(map(ord, given)) % len(GAMES)]
    given = case.path_parameters.get("id")
    if not fits(given, MATCH["schema"]["pattern"]):
        return {}
    id_, token = running.seats[sum(map(ord, given)) % len(running.seats)]
    case.path_parameters["id"] = id_
    cookies = {"seat": token}
    ply = body.get("ply")
    if type(ply) is int and 0 <= ply <= 10**9 and "action" in body:
        state = running.session.get(f"{running.server.url}/m/{id_}/state", cookies=cookies)
        body["ply"] = state.json()["ply"]
    return cookies


def fits(value: Any, pattern: str) -> bool:
    """Return whether a value matches its schema."""
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None


def test_every_route_is_described_or_a_page(tmp_path: Path) -> None:
    routes = Inside(tmp_path / "a.db").app.app.routes
    described = openapi()["paths"]
    for route in routes:
        if isinstance(route, Mount):
            assert route.path == "/static"
            continue
        assert isinstance(route, Route)
        assert (route.path in described) != (route.path in PAGES), route.path
        if route.path in described:
            methods = {method.lower() for method in route.methods or ()} - {"head"}
            assert methods == set(described[route.path])
    assert {*described, *PAGES} == {route.path for route in routes if isinstance(route, Route)}


def test_operation_ids_are_unique_and_references_resolve() -> None:
    document = openapi()
    names = [
        operation["operationId"]
        for path in document["paths"].values()
        for operation in path.values()
    ]
    assert len(set(names)) == len(names)
    found = set(re.findall(r"'#/components/schemas/(\w+)'", repr(document)))
    assert found == set(document["components"]["schemas"])
    linked = [
        link["operationId"]
        for path in document["paths"].values()
        for operation in path.values()
        for answer in operation["responses"].values()
        for link in answer.get("links", {}).values()
    ]
    assert set(linked) <= set(names)
    assert linked


def test_every_code_is_documented_with_its_status() -> None:
    documented: dict[str, str] = {}
    for path in openapi()["paths"].values():
        for operation in path.values():
            for status, answer in operation["responses"].items():
                if status[0] in "45":
                    documented[status] = answer["description"]
    pages_only = {"method", "no_page"}  # of addresses that are not described
    for code, status in STATUS.items():
        if code not in pages_only:
            assert code in re.findall(r"\w+", documented[str(status)]), code


def code_of(answer: Any) -> str:
    """Return the code of an error."""
    error = answer.json()["error"]
    assert answer.status_code == STATUS[error["code"]]
    assert error["message"].endswith(".")
    if answer.status_code in (429, 503):
        assert int(answer.headers["retry-after"]) >= 1
    return str(error["code"])


def new_match(visitor: Visitor, **fields: Any) -> Any:
    """Request a match."""
    return visitor.post("/m", {"key": new_key(), "game": "even-steven", "mode": "here", **fields})


@pytest.fixture
def reached(tmp_path: Path) -> set[str]:
    """Provoke the codes that no single bad request leads to."""
    found = set()
    with Inside(
        tmp_path / "a.db", games_per_minute=1, streams_total=1, body_seconds=0.05
    ) as server:
        visitor = server.visitor()
        visitor.create(mode="here")
        found.add(code_of(new_match(visitor)))
        stream: Stream = visitor.listen()
        found.add(code_of(visitor.get(f"/m/{visitor.id}/events")))
        stream.close()

        async def away(work: Any) -> None:
            raise Unwritable("The disk is full.")

        server.site.tables.keeping.read = away  # type: ignore[assignment, method-assign]
        found.add(code_of(visitor.get("/healthz")))
    slow = Inside(tmp_path / "b.db", body_seconds=0.05).app
    json = (("host", "localhost"), ("content-type", "application/json"))
    found.add(ask(slow, "/m", "POST", json, [b"{", 0.2, b"}"]).error["code"])
    with Inside(tmp_path / "c.db", files=(write(tmp_path, "Failing"),)) as server:
        answer = new_match(server.visitor(), game="failing", options={"start": "200"})
        found.add(code_of(answer))
    return found


def test_every_code_is_reached(reached: set[str]) -> None:
    assert {bad.code for bad in ALL} | reached == set(STATUS)
