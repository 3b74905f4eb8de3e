"""The tables of the store, and the steps that bring an older file forward."""

APPLICATION = 0x5A65726F  # 'Zero', in the place that SQLite keeps for this

# Step n brings a file of version n to version n + 1.
MIGRATIONS = (
    """
    create table matches (
        id text primary key,
        game text not null,
        file text,
        options text not null,
        player_1 text not null,
        player_2 text not null,
        first integer not null,
        length integer not null,
        clock real,
        started text not null,
        updated text not null,
        score_1 integer not null,
        score_2 integer not null,
        played integer not null,
        plies integer not null,
        over integer not null
    );
    create index matches_by_time on matches (updated);
    create table events (
        match text not null references matches (id),
        seq integer not null,
        kind text not null,
        move text,
        at text not null,
        primary key (match, seq)
    ) without rowid;
    create table results (
        match text not null references matches (id),
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
        id text primary key,
        game text not null,
        grade text not null,
        tries integer not null,
        solved text
    )
    """,
    """
    create table live (
        id text primary key references matches (id),
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
        match text not null references live (id),
        key text not null,
        digest text not null,
        primary key (match, key)
    ) without rowid;
    create table meta (
        name text primary key,
        value text not null
    ) without rowid
    """,
    "alter table matches rename column length to games",
)
VERSION = len(MIGRATIONS)

# The same tables in PostgreSQL, with a count of versions of their own.
POSTGRES = (
    """
    create table meta (
        name text primary key,
        value text not null
    );
    insert into meta (name, value) values ('application', 'zerosum'), ('version', '0');
    create table matches (
        id text collate "C" primary key,
        game text not null,
        file text,
        options text not null,
        player_1 text not null,
        player_2 text not null,
        first integer not null,
        length integer not null,
        clock double precision,
        started text collate "C" not null,
        updated text collate "C" not null,
        bot_1 text,
        bot_2 text,
        seed text,
        score_1 integer not null,
        score_2 integer not null,
        played integer not null,
        plies integer not null,
        over integer not null
    );
    create index matches_by_time on matches (updated);
    create table events (
        match text collate "C" not null references matches (id),
        seq integer not null,
        kind text not null,
        move text,
        at text not null,
        primary key (match, seq)
    );
    create table results (
        match text collate "C" not null references matches (id),
        game integer not null,
        first integer not null,
        winner integer,
        ended_by text not null,
        primary key (match, game)
    );
    create table puzzles (
        id text collate "C" primary key,
        game text not null,
        grade text not null,
        tries integer not null,
        solved text collate "C"
    );
    create table live (
        id text collate "C" primary key references matches (id),
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
        match text collate "C" not null references live (id),
        key text not null,
        digest text not null,
        primary key (match, key)
    )
    """,
    "alter table matches rename column length to games",
)
POSTGRES_VERSION = len(POSTGRES)
