-- A database of schema version 1, as it was written then. Never change this file: it shows that old data is read forever.
BEGIN TRANSACTION;
CREATE TABLE events (
            table_id TEXT NOT NULL REFERENCES tables ON DELETE CASCADE,
            seq INTEGER NOT NULL CHECK (seq > 0),
            version INTEGER NOT NULL,
            at REAL NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (table_id, seq)
        ) WITHOUT ROWID;
INSERT INTO "events" VALUES('t1',1,1,20.0,X'7B226E223A317D');
INSERT INTO "events" VALUES('t1',2,1,21.0,X'7B226E223A327D');
INSERT INTO "events" VALUES('t1',3,7,22.125,X'FF006261736536343A');
INSERT INTO "events" VALUES('t1',4,1,23.0,X'6261736536343A');
INSERT INTO "events" VALUES('t3',1,1,40.0,X'7B2274797065223A2263726561746564222C22686F7374223A22616E6E222C227365617473223A5B22616E6E222C6E756C6C2C22626F743A636C7562225D2C2272756C6573223A22636C6173736963227D');
CREATE TABLE instance (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            address TEXT NOT NULL,
            pid INTEGER NOT NULL,
            started REAL NOT NULL
        );
INSERT INTO "instance" VALUES(1,'http://127.0.0.1:8000/',4711,50.0);
CREATE TABLE members (
            person_id TEXT NOT NULL REFERENCES persons ON DELETE CASCADE,
            table_id TEXT NOT NULL REFERENCES tables ON DELETE CASCADE,
            joined REAL NOT NULL,
            PRIMARY KEY (person_id, table_id)
        ) WITHOUT ROWID;
INSERT INTO "members" VALUES('ann','t1',20.0);
INSERT INTO "members" VALUES('ann','t2',31.0);
INSERT INTO "members" VALUES('ben','t1',21.0);
CREATE TABLE persons (
            id TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            created REAL NOT NULL
        ) WITHOUT ROWID;
INSERT INTO "persons" VALUES('ann','Ann',10.0);
INSERT INTO "persons" VALUES('ben','Ben',10.0);
CREATE TABLE tables (
            id TEXT NOT NULL PRIMARY KEY,
            created REAL NOT NULL,
            stage TEXT NOT NULL CHECK (stage IN ('waiting', 'running', 'over'))
        ) WITHOUT ROWID;
INSERT INTO "tables" VALUES('t1',20.0,'running');
INSERT INTO "tables" VALUES('t2',30.5,'waiting');
INSERT INTO "tables" VALUES('t3',40.0,'over');
CREATE TABLE tokens (
            hash BLOB NOT NULL PRIMARY KEY,
            person_id TEXT NOT NULL REFERENCES persons ON DELETE CASCADE,
            created REAL NOT NULL
        ) WITHOUT ROWID;
INSERT INTO "tokens" VALUES(X'49915E0D7D4B402E3017D010BC1C0E83CAC6C797D6C16E66340FE3268693A6A1','ann',11.0);
INSERT INTO "tokens" VALUES(X'6700869C8FF7480E34A70A708B028700DBAA3A033B5652B903AFE89F49A31456','ben',11.0);
CREATE TRIGGER events_never_change BEFORE UPDATE ON events
            BEGIN SELECT RAISE(ABORT, 'events never change'); END;
CREATE TRIGGER events_go_with_their_table BEFORE DELETE ON events
            WHEN EXISTS (SELECT 1 FROM tables WHERE id = OLD.table_id)
            BEGIN SELECT RAISE(ABORT, 'events go only with their table'); END;
CREATE INDEX tokens_by_person ON tokens (person_id);
CREATE INDEX members_by_table ON members (table_id);
COMMIT;
PRAGMA application_id = 1145532209;
PRAGMA user_version = 1;
