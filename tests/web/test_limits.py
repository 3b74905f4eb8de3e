"""ServerLimits: finite, changed by the environment, and rates that forget."""

import math
from dataclasses import fields, replace

import pytest

from zerosum.web.http.rates import Rates
from zerosum.web.limits import LimitError, ServerLimits, settable

CLASSROOM = 30


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_every_limit_is_finite() -> None:
    for limit in fields(ServerLimits):
        assert 0 < getattr(ServerLimits(), limit.name) < math.inf


def test_default_limits_fit_a_class_behind_one_address() -> None:
    limits = ServerLimits()
    assert limits.streams_per_client >= 2 * CLASSROOM
    assert limits.solver_waiting > limits.solver_each >= CLASSROOM
    # A browser opens up to six connections to one server.
    assert limits.connections_per_client >= 6 * CLASSROOM + limits.streams_per_client
    rates = Rates(limits, Clock())
    for kind, each in (("games", 3), ("moves", 30), ("requests", 100), ("analyses", 15)):
        assert not any(rates.allow("192.0.2.1", kind) for _ in range(each * CLASSROOM))


def test_environment_sets_limits() -> None:
    assert "ZEROSUM_LIMIT_GAMES_PER_MINUTE" in settable()
    for name, limit in settable().items():
        changed = ServerLimits.read({name: "7", "PATH": "/bin"})
        assert changed == replace(ServerLimits(), **{limit.name: 7})
    with pytest.raises(LimitError, match="did you mean ZEROSUM_LIMIT_GAMES_PER_MINUTE"):
        ServerLimits.read({"ZEROSUM_LIMIT_GAMES": "5"})


BAD = {
    "MATCHES_TOTAL": ("many", "", "1.5", "0", "-1", "9" * 30),
    "RULES_SECONDS": ("0", "nan", "inf", "-3", "1e400", "soon"),
    "BODY_BYTES": ("5",),
    "": ("5",),
}


@pytest.mark.parametrize(("name", "value"), [(name, bad) for name in BAD for bad in BAD[name]])
def test_bad_limit_is_refused_in_a_sentence(name: str, value: str) -> None:
    variable = f"ZEROSUM_LIMIT_{name}"
    with pytest.raises(LimitError) as caught:
        ServerLimits.read({variable: value})
    assert str(caught.value).startswith(variable)
    assert str(caught.value).endswith((".", "?"))


def test_rate_of_a_client_and_a_kind_is_used_up_and_recovers() -> None:
    clock = Clock()
    rates = Rates(ServerLimits(games_per_minute=6), clock)
    assert [rates.allow("a", "games") for _ in range(6)] == [0.0] * 6
    assert rates.allow("a", "games") == pytest.approx(10)
    assert rates.allow("a", "moves") == rates.allow("b", "games") == 0.0
    clock.now += 5
    assert rates.allow("a", "games") == pytest.approx(5)
    clock.now += 5
    assert rates.allow("a", "games") == 0.0
    assert rates.allow("a", "games") == pytest.approx(10)
    clock.now += 3600
    assert [rates.allow("a", "games") > 0 for _ in range(7)] == [False] * 6 + [True]


def test_idle_clients_are_forgotten() -> None:
    clock = Clock()
    rates = Rates(ServerLimits(), clock)
    for number in range(100):
        rates.allow(str(number), "moves")
    clock.now += 61
    rates.allow("a", "moves")
    assert len(rates.buckets) == 1


def test_rates_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zerosum.web.http.rates.REMEMBERED", 10)
    rates = Rates(ServerLimits(games_per_minute=1), Clock())
    rates.allow("busy", "games")
    for number in range(1000):
        rates.allow(str(number), "games")
        assert rates.allow("busy", "games") > 0, "who goes on is not forgotten"
        assert len(rates.buckets) <= 10
