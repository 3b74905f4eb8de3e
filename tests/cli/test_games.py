"""`zerosum games` and `rules`, and the help of commands."""

from pathlib import Path

from tests.cli.support import document, run


def test_games_and_rules(home: Path) -> None:
    games = document(home, "games", schema="games")["games"]
    assert [game["name"] for game in games] == [
        "even-steven", "divisor-duel", "dual-digits", "number-navigator", "digit-battle",
    ]  # fmt: skip
    assert games[0]["options"][0] == {
        "name": "start", "kind": "number", "default": 15, "least": 1, "most": None, "choices": [],
        "help": "the shared number at the start",
    }  # fmt: skip
    assert {option["name"]: option["default"] for option in games[4]["options"]} == {
        "start": 0, "lives": 10, "target": 15, "limit": 20, "negative_penalty": 1,
        "target_penalty": 3, "limit_penalty": 2, "target_reset": 0, "limit_reset": 10,
    }  # fmt: skip
    listed = run(home, "games", "--plain").stdout
    assert (
        "Option: --start. Default: 15. What it is: the shared number at the start, at least 1."
        in (listed)
    )
    rules = document(home, "rules", "dual-digits", schema="rules")
    assert rules["title"] == "Dual Digits"
    assert run(home, "rules", "dual-digits").stdout == rules["text"]
    plain = run(home, "rules", "dual-digits", "--plain").stdout
    assert "Your turn:" in plain
    assert not set(plain) & set("#`*")
