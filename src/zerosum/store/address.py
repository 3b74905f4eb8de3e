"""Addresses of databases, which are never shown with a password."""

import re

from zerosum.errors import StoreError

EXAMPLE = "postgresql://USER:PASSWORD@HOST:PORT/DATABASE"
HOST = r"(?:\[[0-9a-fA-F:.%]*\]|[^@:\[\],/?\#]*)(?::[0-9]*)?"
SETTING = r"(?!\w*(?:password|secret))\w+=[^@&\#]*"
# An address that libpq would read otherwise than intended is refused: a piece of the password
# could be taken for the name of a host, and shown as such. So is a password among the settings.
# It is compiled when there is an address: that takes half a millisecond, for which nobody waits.
ADDRESS = rf"""(?xi) postgres(?:ql)?://
    (?: (?P<user>[^:@/?\#]*) (?P<password> : [^@/]*)? @ )?
    (?P<rest> {HOST}(?:,{HOST})* (?: / [^@/?\#]* )? (?: \? {SETTING}(?:&{SETTING})* )? )"""
# The other way to write the same for libpq: host=… dbname=… password=…
KEYS_AND_VALUES = r"(?s:.*\s)?(?:host|hostaddr|port|dbname|user|password|passfile|service)\s*="


def is_address(text: str) -> bool:
    """Return whether this is a PostgreSQL address rather than a file's path.

    >>> is_address("postgresql://localhost/zerosum"), is_address("zerosum.db")
    (True, False)
    """
    url = text.lower().startswith(("postgresql://", "postgres://"))
    return url or ("=" in text and re.match(KEYS_AND_VALUES, text) is not None)


def check_address(address: str) -> None:
    """Refuse what is not a PostgreSQL address, without repeating it."""
    if re.match(KEYS_AND_VALUES, address):
        raise StoreError(
            f"Write the address of a PostgreSQL database as {EXAMPLE}, not as keys and values. "
            "If this is the name of a file, put ./ before it."
        )
    if re.fullmatch(ADDRESS, address) is None:
        raise StoreError(
            f"This is not the address of a PostgreSQL database, such as {EXAMPLE}. "
            "In a name or a password, write @ as %40, : as %3A, / as %2F, ? as %3F and # as %23."
        )


def redacted(address: str) -> str:
    """Return an address, or a path, as shown: without its password.

    >>> redacted("postgres://ada:tiger@localhost/games?sslmode=require")
    'postgresql://ada:PASSWORD@localhost/games?sslmode=require'
    >>> redacted("zerosum.db")
    'zerosum.db'
    """
    if not is_address(address):
        return address
    found = re.fullmatch(ADDRESS, address)
    if found is None:
        return EXAMPLE
    user = found["user"]
    login = "" if user is None else f"{user}{':PASSWORD' * bool(found['password'])}@"
    return f"postgresql://{login}{found['rest']}"
