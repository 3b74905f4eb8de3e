"""Addresses of databases: read as libpq reads them, and never shown with a password."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerosum.store import StoreError
from zerosum.store.address import checked, is_address, shown, typed

# The letters X and Z stand in passwords alone, so that any piece of one is known again.
secrets = st.text("XZ1@/:?#%&=[] \\\"'", min_size=1).filter(lambda text: "X" in text)
PLACES = ("localhost", "localhost:5432/games", "[::1]:5/games", "a,b:1/games?sslmode=require", "/x")


@given(secrets, st.sampled_from(PLACES), st.sampled_from(["", "ada"]))
def test_no_piece_of_a_password_is_shown_however_it_is_written(
    secret: str, place: str, user: str
) -> None:
    for address in (
        f"postgresql://{user}:{secret}@{place}",
        f"postgres://{user}:{quote(secret, safe='')}@{place}",
        f"postgresql://{user}@{place.partition('?')[0]}?password={quote(secret, safe='')}",
    ):
        said = shown(address) + typed(address)
        try:
            checked(address)
        except StoreError as error:
            said += str(error)
        assert not set("XZ") & set(said)


@given(secrets, st.sampled_from(PLACES))
def test_what_is_quoted_is_an_address_and_psycopg_reads_the_password_back(
    secret: str, place: str
) -> None:
    conninfo = pytest.importorskip("psycopg.conninfo")
    read = conninfo.conninfo_to_dict(checked(f"postgres://ada:{quote(secret, safe='')}@{place}"))
    assert (read["user"], read["password"]) == ("ada", secret)


@pytest.mark.parametrize(
    ("address", "place", "command"),
    [
        ("postgres://h", "postgresql://h", "postgresql://h"),
        ("postgresql:///games", "postgresql:///games", "postgresql:///games"),
        ("postgresql://ada@h/games", "postgresql://h/games", "postgresql://ada@h/games"),
        ("POSTGRES://ada:x@h", "postgresql://h", "postgresql://ada:PASSWORD@h"),
        (
            "postgresql://ada:x@%2Frun%2Fpg/games?sslpassword=y&sslmode=require",
            "postgresql://%2Frun%2Fpg/games",
            "postgresql://ada:PASSWORD@%2Frun%2Fpg/games?sslpassword=PASSWORD&sslmode=require",
        ),
    ],
)
def test_an_address_is_shown_by_its_place_and_typed_without_its_password(
    address: str, place: str, command: str
) -> None:
    assert is_address(address)
    assert (shown(address), typed(address)) == (place, command)


@pytest.mark.parametrize("path", ["a.db", "/x/postgresql://a", "postgresql", "sqlite:///a.db", ""])
def test_a_path_is_no_address(path: str) -> None:
    assert not is_address(path)
    assert typed(path) == path
