"""The tables of both kinds of databases, and the steps of upgrades."""

from zerosum.errors import StoreError

APPLICATION = 0x5A65726F  # 'Zero', where SQLite keeps the number of an application

# Step n upgrades tables of version n to version n + 1. {key} is a string compared byte by
# byte, {compact} a table that is stored by its primary key, and {seats} the seats of each live
# match `l`, which are listed in its data; {holder} is who holds such a seat.
MIGRATIONS = (
    """
    create table matches (
        id {key} primary key,
        game text not null,
        file text,
        options text not null,
        player_1 text not null,
        player_2 text not null,
        first integer not null,
        length integer not null,
        clock double precision,
        started {key} not null,
        updated {key} not null,
        score_1 integer not null,
        score_2 integer not null,
        played integer not null,
        plies integer not null,
        over integer not null
    );
    create index matches_by_time on matches (updated);
    create table events (
        match {key} not null references matches (id),
        seq integer not null,
        kind text not null,
        move text,
        at text not null,
        primary key (match, seq)
    ) {compact};
    create table results (
        match {key} not null references matches (id),
        game integer not null,
        first integer not null,
        winner integer,
        ended_by text not null,
        unique (match, game)
    )
    """,
    """
    alter table matches add column bot_1 text;
    alter table matches add column bot_2 text;
    alter table matches add column seed text;
    create table puzzles (
        id {key} primary key,
        game text not null,
        grade text not null,
        tries integer not null,
        solved {key}
    )
    """,
    """
    create table live (
        id {key} primary key references matches (id),
        version integer not null,
        seq integer not null,
        stage text not null,
        changed double precision not null,
        due double precision,
        key text not null unique,
        digest text not null,
        data text not null
    );
    create index live_by_due on live (due) where due is not null;
    create index live_by_age on live (stage, changed);
    create table keys (
        match {key} not null references live (id),
        key text not null,
        digest text not null,
        primary key (match, key)
    ) {compact};
    create table meta (
        name text primary key,
        value text not null
    ) {compact}
    """,
    """
    alter table live add column owner text;
    create index live_by_owner on live (owner) where owner is not null
    """,
    """
    alter table matches add column coach integer not null default 0
    """,
    """
    create table people (
        holder {key} primary key,
        name text not null,
        bot integer not null,
        open text not null,
        seen double precision not null,
        folded {key} unique,
        owner text not null
    ) {compact};
    create table seats (
        holder {key} not null,
        taken {key} not null,
        match {key} not null references live (id),
        primary key (holder, taken, match)
    ) {compact};
    create index seats_by_match on seats (match);
    insert into seats (holder, taken, match)
        select {holder}, m.started, l.id from live l join matches m on m.id = l.id, {seats}
        where {holder} is not null on conflict do nothing
    """,
    """
    create table hints (
        match {key} not null references matches (id),
        game integer not null,
        ply integer not null,
        primary key (match, game, ply)
    ) {compact};
    create table decisions (
        match {key} primary key references matches (id),
        judged integer not null,
        made text not null
    ) {compact}
    """,
    """
    alter table matches add column assistant integer
    """,
)
VERSION = len(MIGRATIONS)
NOT_MODIFIED = "It was not modified. Choose another with --db or ZEROSUM_DB."


def check_version(path: str, version: int) -> None:
    """Refuse tables of a newer version."""
    if version > VERSION:
        raise StoreError(
            f"{path} was made by a newer Zerosum (version {version}; this one knows "
            f"up to {VERSION}). {NOT_MODIFIED}"
        )


SQLITE = {
    "key": "text",
    "compact": "without rowid",
    "seats": "json_each(case when json_valid(l.data) then l.data else '{}' end, '$.holders') s",
    "holder": "json_extract(s.value, '$[0]')",
}
POSTGRES = {
    "key": 'text collate "C"',
    "compact": "",
    "seats": "json_array_elements(l.data::json -> 'holders') s",
    "holder": "s.value ->> 0",
}


def upgrade(version: int, dialect: dict[str, str]) -> list[str]:
    """List the statements that upgrade a version's tables to ours."""
    return [
        statement.format(**dialect)
        for step in MIGRATIONS[version:]
        for statement in step.split(";")
    ]
