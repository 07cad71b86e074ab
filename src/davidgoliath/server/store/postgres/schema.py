"""Our schema in a PostgreSQL database: its tables and functions, and how it is brought up to date.

Everything lies in a schema of our own, `davidgoliath`, beside whatever else is in the database, and its table `version`
has the number of the last of `STEPS` that was taken. A step that has been published never changes; a new one follows
it. Servers of two versions may run side by side while one replaces the other, so a step only adds.

What servers tell each other (`servers`, `present`, `sockets`, `budgets`, `duties`) is unlogged: it is worth
nothing after a crash, and costs no flush of the disk.
"""

from collections.abc import Sequence
from typing import Any, Final, LiteralString

from psycopg import AsyncConnection

from davidgoliath.rules import Refusal
from davidgoliath.server.ops.failures import StoreFailure

LOCKS: Final = 0x44476F31
"""`DGo1`: the class of our advisory locks. A server holds the one of its number for as long as it lives."""
UPGRADE_LOCK: Final = 0

TABLES: Final = (
    "CREATE SCHEMA IF NOT EXISTS davidgoliath",
    "CREATE TABLE davidgoliath.version (number int NOT NULL)",
    """CREATE TABLE davidgoliath.tables (
        id text COLLATE "C" PRIMARY KEY,
        created float8 NOT NULL,
        stage text NOT NULL CHECK (stage IN ('waiting', 'running', 'over'))
    )""",
    """CREATE TABLE davidgoliath.events (
        table_id text COLLATE "C" NOT NULL REFERENCES davidgoliath.tables ON DELETE CASCADE,
        seq bigint NOT NULL CHECK (seq > 0),
        version bigint NOT NULL,
        at float8 NOT NULL,
        body bytea NOT NULL,
        PRIMARY KEY (table_id, seq)
    )""",
    """CREATE TABLE davidgoliath.persons (
        id text COLLATE "C" PRIMARY KEY,
        name text NOT NULL,
        created float8 NOT NULL
    )""",
    """CREATE TABLE davidgoliath.tokens (
        hash bytea PRIMARY KEY,
        person_id text COLLATE "C" NOT NULL REFERENCES davidgoliath.persons ON DELETE CASCADE,
        created float8 NOT NULL
    )""",
    "CREATE INDEX tokens_by_person ON davidgoliath.tokens (person_id)",
    """CREATE TABLE davidgoliath.members (
        person_id text COLLATE "C" NOT NULL REFERENCES davidgoliath.persons ON DELETE CASCADE,
        table_id text COLLATE "C" NOT NULL REFERENCES davidgoliath.tables ON DELETE CASCADE,
        joined float8 NOT NULL,
        PRIMARY KEY (person_id, table_id)
    )""",
    "CREATE INDEX members_by_table ON davidgoliath.members (table_id)",
    """CREATE FUNCTION davidgoliath.events_never_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'events never change'; END $$""",
    """CREATE TRIGGER events_never_change BEFORE UPDATE ON davidgoliath.events
        FOR EACH ROW EXECUTE FUNCTION davidgoliath.events_never_change()""",
    """CREATE FUNCTION davidgoliath.events_go_with_their_table() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF EXISTS (SELECT FROM davidgoliath.tables WHERE id = OLD.table_id) THEN
                RAISE EXCEPTION 'events go only with their table';
            END IF;
            RETURN OLD;
        END $$""",
    """CREATE TRIGGER events_go_with_their_table BEFORE DELETE ON davidgoliath.events
        FOR EACH ROW EXECUTE FUNCTION davidgoliath.events_go_with_their_table()""",
)

COMPANY: Final = (
    """CREATE UNLOGGED TABLE davidgoliath.servers (
        id int PRIMARY KEY,
        seen timestamptz NOT NULL DEFAULT now()
    )""",
    """CREATE UNLOGGED TABLE davidgoliath.present (
        table_id text COLLATE "C" NOT NULL REFERENCES davidgoliath.tables ON DELETE CASCADE,
        server int NOT NULL REFERENCES davidgoliath.servers ON DELETE CASCADE,
        people text[] NOT NULL,
        acts boolean NOT NULL,
        PRIMARY KEY (table_id, server)
    )""",
    "CREATE INDEX present_by_server ON davidgoliath.present (server)",
    "CREATE UNIQUE INDEX one_acts ON davidgoliath.present (table_id) WHERE acts",
    """CREATE UNLOGGED TABLE davidgoliath.sockets (
        address text NOT NULL,
        server int NOT NULL REFERENCES davidgoliath.servers ON DELETE CASCADE,
        count int NOT NULL,
        PRIMARY KEY (address, server)
    )""",
    "CREATE INDEX sockets_by_server ON davidgoliath.sockets (server)",
    """CREATE UNLOGGED TABLE davidgoliath.buckets (
        key text PRIMARY KEY,
        rest float8 NOT NULL,
        at timestamptz NOT NULL
    )""",
    """CREATE UNLOGGED TABLE davidgoliath.duties (
        name text PRIMARY KEY,
        done timestamptz NOT NULL
    )""",
)

APPEND: Final = """CREATE FUNCTION davidgoliath.append(own int, jobs jsonb) RETURNS text[] LANGUAGE plpgsql AS $$
    -- Each of jobs is [table, seq, stage or null, [[version, at, body in base64], ...]]; gives what became of each.
    -- The table's row is locked, so what is looked up after that can't change before the end; and a server that
    -- comes to the table (settle) does the same, so it is told of this append or reads it.
    DECLARE
        answers text[] := '{}';
        job jsonb;
        name text;
        first bigint;
        last bigint;
        was text;
    BEGIN
        FOR job IN SELECT * FROM jsonb_array_elements(jobs) LOOP
            name := job ->> 0;
            first := (job ->> 1)::bigint;
            SELECT stage INTO was FROM davidgoliath.tables WHERE id = name FOR NO KEY UPDATE;
            IF NOT FOUND THEN
                answers := answers || 'no_table'::text;
                CONTINUE;
            END IF;
            SELECT coalesce(max(seq), 0) INTO last FROM davidgoliath.events WHERE table_id = name;
            IF first <= last THEN
                answers := answers || 'taken'::text;
            ELSIF was = 'over' THEN
                answers := answers || 'over'::text;
            ELSIF first > last + 1 THEN
                answers := answers || 'gap'::text;
            ELSE
                INSERT INTO davidgoliath.events
                    SELECT name, last + place, (one ->> 0)::bigint, (one ->> 1)::float8, decode(one ->> 2, 'base64')
                    FROM jsonb_array_elements(job -> 3) WITH ORDINALITY AS each (one, place);
                IF job ->> 2 <> was THEN
                    UPDATE davidgoliath.tables SET stage = job ->> 2 WHERE id = name;
                END IF;
                IF EXISTS (SELECT FROM davidgoliath.present WHERE table_id = name AND server <> own) THEN
                    PERFORM pg_notify('davidgoliath',
                        'events ' || name || ' ' || own || ' ' || last + jsonb_array_length(job -> 3));
                END IF;
                answers := answers || 'done'::text;
            END IF;
        END LOOP;
        RETURN answers;
    END $$"""

SETTLE: Final = """CREATE FUNCTION davidgoliath.settle(
        own int, name text, here text[], OUT does_act boolean, OUT others text[]
    ) LANGUAGE plpgsql AS $$
    -- Says who is at a table in this server; takes the place of the one that acts if it is free, or gives it up if
    -- nobody is here. Gives who is there in other servers.
    DECLARE
        before text[];
    BEGIN
        PERFORM FROM davidgoliath.tables WHERE id = name FOR NO KEY UPDATE;
        does_act := FALSE;
        SELECT people INTO before FROM davidgoliath.present WHERE table_id = name AND server = own;
        IF cardinality(here) = 0 THEN
            DELETE FROM davidgoliath.present WHERE table_id = name AND server = own;
        ELSIF EXISTS (SELECT FROM davidgoliath.tables WHERE id = name) THEN
            does_act := NOT EXISTS (SELECT FROM davidgoliath.present WHERE table_id = name AND server <> own AND acts);
            INSERT INTO davidgoliath.present VALUES (name, own, here, does_act)
                ON CONFLICT (table_id, server) DO UPDATE SET people = here, acts = does_act;
        END IF;
        SELECT coalesce(array_agg(person), '{}') INTO others
            FROM davidgoliath.present, unnest(people) AS each (person) WHERE table_id = name AND server <> own;
        IF before IS DISTINCT FROM nullif(here, '{}') AND cardinality(others) > 0 THEN
            PERFORM pg_notify('davidgoliath', 'people ' || name || ' ' || own);
        END IF;
    END $$"""

BEAT: Final = """CREATE FUNCTION davidgoliath.beat(own int, patience interval) RETURNS boolean LANGUAGE plpgsql AS $$
    -- A server lives; those that don't any more are cleared away, each by one of the others, with all that they held.
    -- False if this one has itself been taken for dead.
    DECLARE
        gone int;
        name text;
    BEGIN
        UPDATE davidgoliath.servers SET seen = clock_timestamp() WHERE id = own;
        IF NOT FOUND THEN
            RETURN FALSE;
        END IF;
        FOR gone IN SELECT id FROM davidgoliath.servers
            WHERE id <> own AND (seen < clock_timestamp() - patience OR pg_try_advisory_xact_lock(1145532209, id))
            FOR UPDATE SKIP LOCKED
        LOOP
            FOR name IN DELETE FROM davidgoliath.present WHERE server = gone RETURNING table_id LOOP
                PERFORM pg_notify('davidgoliath', 'people ' || name || ' ' || gone);
            END LOOP;
            DELETE FROM davidgoliath.servers WHERE id = gone;
        END LOOP;
        RETURN TRUE;
    END $$"""

OPEN_SOCKET: Final = """CREATE FUNCTION davidgoliath.open_socket(own int, wanted text, most int) RETURNS boolean
    LANGUAGE plpgsql AS $$
    -- Counts a socket from an address, unless there are too many of them already, in all servers together.
    BEGIN
        PERFORM pg_advisory_xact_lock(hashtextextended('davidgoliath ' || wanted, 0));
        IF (SELECT coalesce(sum(count), 0) FROM davidgoliath.sockets WHERE address = wanted) >= most THEN
            RETURN FALSE;
        END IF;
        INSERT INTO davidgoliath.sockets AS s VALUES (wanted, own, 1)
            ON CONFLICT (address, server) DO UPDATE SET count = s.count + 1;
        RETURN TRUE;
    END $$"""

IDLE: Final = (
    """CREATE TABLE davidgoliath.listed (
        id text COLLATE "C" PRIMARY KEY REFERENCES davidgoliath.tables ON DELETE CASCADE
    )""",
    """INSERT INTO davidgoliath.listed SELECT id FROM davidgoliath.tables JOIN davidgoliath.events ON table_id = id
        WHERE stage = 'waiting' AND seq = 1 AND position('"public":true'::bytea IN body) > 0""",
    "CREATE TABLE davidgoliath.running (one int PRIMARY KEY CHECK (one = 1), seconds float8 NOT NULL)",
    "INSERT INTO davidgoliath.running VALUES (1, 0)",
    """CREATE TABLE davidgoliath.idle_tables (
        id text COLLATE "C" PRIMARY KEY REFERENCES davidgoliath.tables ON DELETE CASCADE,
        since float8 NOT NULL
    )""",
    """CREATE TABLE davidgoliath.idle_persons (
        id text COLLATE "C" PRIMARY KEY REFERENCES davidgoliath.persons ON DELETE CASCADE,
        since float8 NOT NULL
    )""",
)

LISTING: Final = """
                IF (job ->> 4)::boolean THEN
                    INSERT INTO davidgoliath.listed VALUES (name) ON CONFLICT DO NOTHING;
                ELSIF NOT (job ->> 4)::boolean THEN
                    DELETE FROM davidgoliath.listed WHERE id = name;
                END IF;
                answers := answers || 'done'::text;"""
"""Each of jobs may have a fifth part: whether strangers can find the table from then on."""
APPEND_AND_LIST: Final = APPEND.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION").replace(
    """
                answers := answers || 'done'::text;""",
    LISTING,
)

STONE: Final = "ALTER TABLE davidgoliath.persons ADD COLUMN stone text"

CODES: Final = (
    """CREATE TABLE davidgoliath.codes (
        code text COLLATE "C" PRIMARY KEY,
        table_id text COLLATE "C" NOT NULL UNIQUE REFERENCES davidgoliath.tables ON DELETE CASCADE
    )""",
    """CREATE FUNCTION davidgoliath.codes_end_with_waiting() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN DELETE FROM davidgoliath.codes WHERE table_id = NEW.id; RETURN NULL; END $$""",
    """CREATE TRIGGER codes_end_with_waiting AFTER UPDATE OF stage ON davidgoliath.tables
        FOR EACH ROW WHEN (NEW.stage <> 'waiting') EXECUTE FUNCTION davidgoliath.codes_end_with_waiting()""",
)
"""A server of an earlier version that starts a table ends its code too."""

REVIEWS: Final = (
    """CREATE TABLE davidgoliath.reviews (
        table_id text COLLATE "C" NOT NULL REFERENCES davidgoliath.tables ON DELETE CASCADE,
        deal int NOT NULL,
        seat int NOT NULL,
        person_id text COLLATE "C" REFERENCES davidgoliath.persons ON DELETE CASCADE,
        judge text NOT NULL,
        position bytea NOT NULL,
        at float8 NOT NULL,
        is_final boolean NOT NULL,
        is_counted boolean NOT NULL,
        body bytea NOT NULL CHECK (length(body) <= 10240),
        PRIMARY KEY (table_id, deal, seat)
    )""",
    "CREATE INDEX reviews_by_person ON davidgoliath.reviews (person_id)",
    """CREATE TABLE davidgoliath.shares (
        table_id text COLLATE "C" NOT NULL REFERENCES davidgoliath.tables ON DELETE CASCADE,
        person_id text COLLATE "C" NOT NULL REFERENCES davidgoliath.persons ON DELETE CASCADE,
        PRIMARY KEY (table_id, person_id)
    )""",
    "CREATE INDEX shares_by_person ON davidgoliath.shares (person_id)",
    """CREATE TABLE davidgoliath.learners (
        id text COLLATE "C" PRIMARY KEY REFERENCES davidgoliath.persons ON DELETE CASCADE,
        seen float8 NOT NULL
    )""",
    """CREATE TABLE davidgoliath.idle_learners (
        id text COLLATE "C" PRIMARY KEY REFERENCES davidgoliath.learners ON DELETE CASCADE,
        since float8 NOT NULL
    )""",
    """CREATE TABLE davidgoliath.figures (
        person_id text COLLATE "C" NOT NULL REFERENCES davidgoliath.learners ON DELETE CASCADE,
        week text COLLATE "C" NOT NULL,
        company text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        count bigint NOT NULL,
        points float8 NOT NULL,
        PRIMARY KEY (person_id, week, company, name)
    )""",
)

STEPS: Final = (
    (*TABLES, *COMPANY, APPEND, SETTLE, BEAT, OPEN_SOCKET),
    (*IDLE, APPEND_AND_LIST),
    (STONE,),
    CODES,
    REVIEWS,
)


async def upgrade(
    connection: AsyncConnection[Any], name: str, steps: Sequence[Sequence[LiteralString]] = STEPS
) -> None:
    """Takes the steps that a database hasn't taken yet: all, or none. Servers that start together take turns."""
    if await _version(connection) == len(steps):
        return
    # a lock of the session, and the transaction after it: one that began before would not see what others have made
    await connection.execute("SELECT pg_advisory_lock(%s, %s)", [LOCKS, UPGRADE_LOCK])
    try:
        async with connection.transaction():
            version = await _version(connection)
            if version > len(steps):
                raise Refusal(StoreFailure.STORE_NEWER, file=name, found=version, expected=len(steps))
            for statements in steps[version:]:
                await connection.execute(";".join(statements))
            await connection.execute("DELETE FROM davidgoliath.version")
            await connection.execute("INSERT INTO davidgoliath.version VALUES (%s)", [len(steps)])
    finally:
        await connection.execute("SELECT pg_advisory_unlock(%s, %s)", [LOCKS, UPGRADE_LOCK])


async def _version(connection: AsyncConnection[Any]) -> int:
    cursor = await connection.execute("SELECT to_regclass('davidgoliath.version') IS NULL")
    if await cursor.fetchone() == (True,):
        return 0
    row = await (await connection.execute("SELECT number FROM davidgoliath.version")).fetchone()
    return int(row[0]) if row else 0


async def check_direct(connection: AsyncConnection[Any], name: str) -> None:
    """Whoever listens must be on one connection for good; a pooler in between gives another process than it said."""
    row = await (await connection.execute("SELECT pg_backend_pid()")).fetchone()
    if row != (connection.pgconn.backend_pid,):
        raise Refusal(StoreFailure.STORE_POOLED, file=name)


async def check_durable(connection: AsyncConnection[Any], name: str) -> None:
    """A server that acknowledges what isn't on a disk is refused."""
    for setting in ("fsync", "synchronous_commit", "full_page_writes"):
        row = await (await connection.execute("SELECT current_setting(%s)", [setting])).fetchone()
        if row == ("off",):
            raise Refusal(StoreFailure.STORE_NOT_DURABLE, file=name, setting=setting)
