"""People with a name on this server, bots among them: their tokens, and who is open to play."""

from __future__ import annotations

import re
from unicodedata import normalize

from zerosum.errors import OptionError
from zerosum.match import NAMES, check_players
from zerosum.store.people import Person
from zerosum.web.refusals import Refused, invalid
from zerosum.web.tables.service import Tables
from zerosum.web.tables.table import misleads
from zerosum.web.tables.tokens import digest_of, token_for

# The names of levels and of people who give none.
RESERVED = re.compile(r"computer\b|player \d")
# Printable, but nobody sees them: joiners, fillers, variation selectors and a blank pattern.
UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
# The seconds after which it is saved again when somebody was seen: other servers list bots by it;
# a single server needs it only to expire people.
HERE_SECONDS, SELDOM_SECONDS = 60.0, 3600.0
# Whoever has not been seen for this long is not connected to any server.
GONE_SECONDS = 150.0
# How many bots are looked at, those seen last first, and how many are listed.
MOST_KNOWN, MOST_LISTED = 1_000, 200


class People:
    """The people of one server."""

    def __init__(self, tables: Tables) -> None:
        """Take the tables at which they play."""
        self.tables, self.store = tables, tables.store

    async def enroll(self, key: str, name: str, bot: bool, owner: str) -> tuple[str, Person]:
        """Make a person, and return their token; the same key returns the same one again."""
        name = name.strip()
        check_name(name)
        limits, now = self.tables.limits, self.tables.clock.now()
        token = token_for(self.tables.secret, f"me {key}")
        person = Person(digest_of(token), name, int(bot), "", now)
        most = limits.people_per_client, limits.people_total
        alias = folded(name) if bot else None
        found = await self.store.alone(
            lambda store: store.people.enroll(person, alias, owner, *most)
        )
        if found is None:
            text = "Too many people have been named from your address; nothing was changed."
            raise Refused("too_many", text)
        if found.holder != person.holder:
            raise Refused("name_taken", f"There is already a bot called {found.name}.")
        if (found.name, found.bot) != (person.name, person.bot):
            raise Refused("key_reused", "This key was used for another name.")
        return token, found

    async def find(self, holder: str | None) -> Person | None:
        """Return a person with a name, and save from time to time that they were seen."""
        if holder is None:
            return None
        person = await self.store.read(lambda store: store.people.find(holder))
        late = self.tables.clock.now() - (HERE_SECONDS if self.store.shared else SELDOM_SECONDS)
        return person if person is None or person.seen > late else await self._save(person)

    async def _save(self, person: Person) -> Person:
        """Save a person, who is seen now."""
        person = person._replace(seen=self.tables.clock.now())
        await self.store.alone(lambda store: store.people.save(person))
        return person

    async def open(self, holder: str, games: list[str]) -> Person:
        """Open a bot to challenges in some games, or in none."""
        person = await self.find(holder)
        if person is None or not person.bot:
            text = "Only a bot can be open to challenges; POST /api/v1/me makes one."
            raise Refused("no_token", text)
        return await self._save(person._replace(open=" ".join(games)))

    async def challenged(self, name: str, game: str, challenger: Person | None) -> Person:
        """Return the bot that somebody challenges to a game, if it is open to it."""
        bot = None
        if name.isprintable():  # PostgreSQL holds no null characters, not even to look for them
            bot = await self.store.read(lambda store: store.people.named(folded(name)))
        if bot is None:
            raise Refused("no_bot", "There is no bot with this name.", field="to")
        if challenger is not None and bot.holder == challenger.holder:
            raise invalid("to", "you cannot challenge yourself")
        if game not in bot.games:
            text = f"{bot.name} is not open to challenges in this game."
            raise Refused("not_open", text, field="to")
        return bot

    async def listed(self) -> list[Person]:
        """List the bots that are open to challenges and connected."""
        memory, now = self.tables.memory, self.tables.clock.now()
        since = now - GONE_SECONDS if self.store.shared else 0.0
        found = await self.store.read(lambda store: store.people.open(since, MOST_KNOWN))
        # Which bots are connected to another server is known only by when they were seen.
        here = [bot for bot in found if self.store.shared or memory.is_watched(bot.holder)]
        return sorted(here[:MOST_LISTED], key=lambda bot: folded(bot.name))


def folded(name: str) -> str:
    r"""Return a name as names are compared: as people see it.

    >>> folded("ＤＥＥＰ  Blue"), folded("De\ufe0fep")
    ('deep blue', 'deep')
    """
    return " ".join(UNSEEN.sub("", normalize("NFKC", name).casefold()).split())


def check_name(name: str) -> None:
    """Refuse a name that cannot be seen, or that belongs to the computer or to nobody."""
    other = next(other for other in NAMES if other.casefold() != name.casefold())
    try:
        check_players((name, other))
    except OptionError as error:
        raise invalid("name", error.message) from error
    if not folded(name):
        raise invalid("name", "a name cannot be empty")
    if RESERVED.match(folded(name)) or misleads(folded(name)):
        raise invalid("name", "this name is reserved")
