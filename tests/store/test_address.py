"""Addresses of databases: read as libpq reads them, and never shown with a password."""

from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerosum.errors import StoreError
from zerosum.store import open_store
from zerosum.store.address import check_address, is_address, redacted

# Only passwords have the letters X and Z, so that any piece of one is recognized.
secrets = st.text("XZ1@/:?#%&=[] \\\"'", min_size=1).filter(lambda text: "X" in text)
WHERE = ("localhost", "localhost:5432/games", "[::1]:5/games", "a,b:1/games?sslmode=require", "/x")


@given(secrets, st.sampled_from(WHERE), st.sampled_from(["", "ada"]))
def test_no_piece_of_a_password_is_shown_however_it_is_written(
    secret: str, where: str, user: str
) -> None:
    for address in (
        f"postgresql://{user}:{secret}@{where}",
        f"postgres://{user}:{quote(secret, safe='')}@{where}",
        f"postgresql://{user}@{where.partition('?')[0]}?password={quote(secret, safe='')}",
        f"postgresql://{user}@{where.partition('?')[0]}?pass%77ord={quote(secret, safe='')}",
        f"host={where} user={user} password='{secret}'",
        f"password = {secret} dbname=games",
    ):
        text = redacted(address)
        try:
            check_address(address)
        except StoreError as error:
            text += str(error)
        assert not set("XZ") & set(text)


@given(secrets, st.sampled_from(WHERE))
def test_psycopg_reads_a_quoted_password_back(secret: str, where: str) -> None:
    conninfo = pytest.importorskip("psycopg.conninfo")
    address = f"postgresql://ada:{quote(secret, safe='')}@{where}"
    check_address(address)
    read = conninfo.conninfo_to_dict(address)
    assert (read["user"], read["password"]) == ("ada", secret)


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgres://h", "postgresql://h"),
        ("postgresql:///games", "postgresql:///games"),
        ("postgresql://ada@h/games", "postgresql://ada@h/games"),
        ("POSTGRES://ada:x@h", "postgresql://ada:PASSWORD@h"),
        (
            "postgresql://ada:x@%2Frun%2Fpg/games?sslmode=require&application_name=a",
            "postgresql://ada:PASSWORD@%2Frun%2Fpg/games?sslmode=require&application_name=a",
        ),
    ],
)
def test_an_address_is_shown_without_its_password(address: str, shown: str) -> None:
    assert is_address(address)
    assert redacted(address) == shown


def test_keys_and_values_are_refused_and_not_taken_for_a_file(tmp_path: Path) -> None:
    for address in ("host=h password=XZ dbname=x", "dbname=games", "sslmode=require user = ada"):
        with pytest.raises(StoreError, match=r"Write the address .* as postgresql://") as error:
            open_store(address)
        assert "XZ" not in str(error.value)
    open_store(f"{tmp_path}/user=ada.db").close()
    assert (tmp_path / "user=ada.db").exists()


@pytest.mark.parametrize(
    "path",
    ["a.db", "/x/postgresql://a", "postgresql", "sqlite:///a.db", "", "./host=a", "games=1.db"],
)
def test_a_path_is_not_an_address(path: str) -> None:
    assert not is_address(path)
    assert redacted(path) == path
