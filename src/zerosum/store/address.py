"""Addresses of databases, and how they are shown: never with a password."""

from __future__ import annotations

import re

from zerosum.store.base import StoreError

EXAMPLE = "postgresql://USER:PASSWORD@HOST:PORT/DATABASE"
HOST = r"(?:\[[0-9a-fA-F:.%]*\]|[^@:\[\],/?\#]*)(?::[0-9]*)?"
# What libpq would read otherwise than its writer meant is no address here; else a piece of a
# password could be taken for the name of a machine, and shown as such.
ADDRESS = re.compile(
    rf"""postgres(?:ql)?://
    (?: (?P<user>[^:@/?\#]*) (?P<password> : [^@/]*)? @ )?
    (?P<place> {HOST}(?:,{HOST})* (?: / [^@/?\#]* )? )
    (?P<query> \? [^@\#]* )?""",
    re.VERBOSE | re.IGNORECASE,
)
SECRETS = re.compile(r"([?&][^=&]*password[^=&]*=)[^&]*", re.IGNORECASE)


def is_address(text: str) -> bool:
    """Tell whether this is the address of a PostgreSQL database, and not the path of a file.

    >>> is_address("postgresql://localhost/zerosum"), is_address("zerosum.db")
    (True, False)
    """
    return text.lower().startswith(("postgresql://", "postgres://"))


def checked(address: str) -> str:
    """Give an address as libpq takes it, or refuse it without showing it."""
    if ADDRESS.fullmatch(address) is None:
        raise StoreError(
            f"This is not the address of a PostgreSQL database, such as {EXAMPLE}. "
            "In a name or a password, write @ as %40, : as %3A, / as %2F, ? as %3F and # as %23."
        )
    return f"postgresql://{address.partition('://')[2]}"


def shown(address: str) -> str:
    """Give the place that an address names: no user, no password, no settings.

    >>> shown("postgres://ada:tiger@db.example:5433/games?sslmode=require")
    'postgresql://db.example:5433/games'
    """
    found = ADDRESS.fullmatch(address)
    return EXAMPLE if found is None else f"postgresql://{found['place']}"


def typed(address: str) -> str:
    """Give an address, or a path, as it can stand in a command that is shown to people.

    >>> typed("postgresql://ada:tiger@localhost/games?sslmode=require")
    'postgresql://ada:PASSWORD@localhost/games?sslmode=require'
    >>> typed("zerosum.db")
    'zerosum.db'
    """
    if not is_address(address):
        return address
    found = ADDRESS.fullmatch(address)
    if found is None:
        return EXAMPLE
    user = "" if found["user"] is None else found["user"] + ":PASSWORD" * bool(found["password"])
    query = SECRETS.sub(r"\1PASSWORD", found["query"] or "")
    return f"postgresql://{user}{'@' * (found['user'] is not None)}{found['place']}{query}"
