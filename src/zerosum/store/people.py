"""People with names on a server, bots among them, and their live matches."""

from typing import NamedTuple

from zerosum.store.database import Database
from zerosum.store.rows import read_row

INSERT_PERSON = (
    "insert into people (holder, name, bot, open, seen, folded, owner)"
    " values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing"
)
COUNT_PEOPLE = "select count(*), count(*) filter (where owner = ?) from people"
SELECT_MATCHES = "select match from seats where holder = ?"
NEWEST_FIRST = " order by taken desc, match desc limit ?"
EARLIER = " and (taken, match) < (select taken, match from seats where holder = ? and match = ?)"
# What is being played is never crowded out by invitations.
SELECT_UNFINISHED = (
    "select s.match from seats s join live l on l.id = s.match"
    " where s.holder = ? and l.stage in ('playing', 'waiting')"
    " order by l.stage, s.taken desc, s.match desc limit ?"
)


class Person(NamedTuple):
    """A person with a token's digest; `open` lists what a bot can be challenged to.

    `seen` is in the database's own time.
    """

    holder: str
    name: str
    bot: int
    open: str
    seen: float

    @property
    def games(self) -> list[str]:
        """The games in which a bot is open to challenges."""
        return self.open.split()


class PlayedMatch(NamedTuple):
    """A live match with finished games, and the decisions of those judged so far.

    `data` is the server's own, and so is `made`, empty if none was judged.
    """

    match: str
    game: str
    played: int
    over: int
    data: str
    judged: int
    made: str


SELECT_PLAYED = (
    "select m.id, m.game, m.played, m.over, l.data, coalesce(d.judged, 0), coalesce(d.made, '')"
    " from seats s join live l on l.id = s.match join matches m on m.id = s.match"
    " left join decisions d on d.match = s.match"
    " where s.holder = ? and m.played > 0 order by s.taken desc, s.match desc limit ?"
)
KEEP_DECISIONS = (
    "insert into decisions (match, judged, made) select id, ?, ? from matches where id = ?"
    " on conflict (match) do update set judged = excluded.judged, made = excluded.made"
)
SELECT_PEOPLE = f"select {', '.join(Person._fields)} from people"  # noqa: S608


class PeopleStore:
    """The people of a database, by the digest of their token."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self.database = database

    def find(self, holder: str) -> Person | None:
        """Return a person, if they have a name."""
        return self._one(" where holder = ?", holder)

    def named(self, folded: str) -> Person | None:
        """Return the bot of a name."""
        return self._one(" where folded = ?", folded)

    def _one(self, where: str, value: str) -> Person | None:
        """Return the one person that a condition finds."""
        rows = self.database.rows(SELECT_PEOPLE + where, value)
        return read_row(Person, rows[0]) if rows else None

    def enroll(
        self,
        person: Person,
        folded: str | None,
        owner: str,
        each: int,
        total: int,
    ) -> Person | None:
        """Save and return a person, or whoever has the token or the folded name.

        None if the owner, or all owners, have as many people as allowed.
        """

        def work() -> Person | None:
            found = self._known(person.holder, folded)
            ((everyone, own),) = self.database.rows(COUNT_PEOPLE, owner)
            if found is None and everyone < total and own < each:
                self.database.rows(INSERT_PERSON, *person, folded, owner)
                found = self._known(person.holder, folded)
            return found

        return self.database.transact(work)

    def _known(self, holder: str, folded: str | None) -> Person | None:
        """Return the person with a token, or the bot with a name."""
        return self.find(holder) or (None if folded is None else self.named(folded))

    def save(self, person: Person) -> None:
        """Save what can change: the games a bot is open to, and the last visit."""
        query = "update people set open = ?, seen = ? where holder = ?"
        self.database.transact(lambda: self.database.rows(query, *person[3:], person.holder))

    def open(self, since: float, most: int) -> list[Person]:
        """List the bots open to challenges and seen since a moment, the latest first."""
        where = " where open <> '' and seen >= ? order by seen desc limit ?"
        rows = self.database.rows(SELECT_PEOPLE + where, since, most)
        return [read_row(Person, row) for row in rows]

    def expire(self, before: float) -> None:
        """Forget people who have not been seen since a moment; their seats stay theirs."""
        query = "delete from people where seen < ?"
        self.database.transact(lambda: self.database.rows(query, before))

    def matches(self, holder: str, most: int, before: str = "") -> list[str]:
        """List a person's live matches, the newest first; or those before one of them."""
        if not before:
            return self._listed(SELECT_MATCHES + NEWEST_FIRST, holder, most)
        return self._listed(SELECT_MATCHES + EARLIER + NEWEST_FIRST, holder, holder, before, most)

    def unfinished(self, holder: str, most: int) -> list[str]:
        """List a person's unfinished live matches: games before invitations, newest first."""
        return self._listed(SELECT_UNFINISHED, holder, most)

    def played(self, holder: str, most: int) -> list[PlayedMatch]:
        """List a person's live matches with an ended game, the newest first."""
        rows = self.database.rows(SELECT_PLAYED, holder, most)
        return [read_row(PlayedMatch, row, f"Match {row[0]}") for row in rows]

    def keep_decisions(self, match: str, judged: int, made: str) -> None:
        """Save what was decided in a match's games that have ended."""
        self.database.transact(lambda: self.database.rows(KEEP_DECISIONS, judged, made, match))

    def _listed(self, query: str, *values: object) -> list[str]:
        """Return the ids that a query finds."""
        return [id_ for (id_,) in self.database.rows(query, *values)]
