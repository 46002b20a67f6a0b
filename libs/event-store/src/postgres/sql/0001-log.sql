-- The log. Positions are assigned by es_append under one lock, never by a sequence: they are dense and in commit order.
CREATE TABLE es_event (
  position       bigint   NOT NULL PRIMARY KEY,
  stream_id      text     COLLATE "C" NOT NULL,
  version        bigint   NOT NULL,
  event_id       uuid     NOT NULL,
  type           text     COLLATE "C" NOT NULL,
  schema_version smallint NOT NULL,
  site_id        text     COLLATE "C" NOT NULL,
  occurred_ms    bigint   NOT NULL,
  data           text     COLLATE "C" NOT NULL,
  metadata       text     COLLATE "C" NOT NULL,
  batch          bigint   NOT NULL,
  leaf           bytea    NOT NULL,
  CONSTRAINT es_event_stream_version UNIQUE (stream_id, version)
);
COMMENT ON COLUMN es_event.occurred_ms IS 'Epoch milliseconds: an instant without a time zone to get wrong.';
COMMENT ON COLUMN es_event.data IS 'Canonical JSON (RFC 8785), the very bytes that the leaf hashes.';
COMMENT ON COLUMN es_event.batch IS 'First position of the commit batch.';

-- Room in each page lets the version move without touching an index.
CREATE TABLE es_stream (
  stream_id text   COLLATE "C" NOT NULL PRIMARY KEY,
  version   bigint NOT NULL,
  site_id   text   COLLATE "C" NOT NULL
) WITH (fillfactor = 70);

-- One link of the hash chain for each commit batch.
CREATE TABLE es_batch (
  first_position bigint      NOT NULL PRIMARY KEY,
  last_position  bigint      NOT NULL,
  root           bytea       NOT NULL,
  previous       bytea       NOT NULL,
  chain          bytea       NOT NULL,
  committed_at   timestamptz NOT NULL
);

-- What a command that may be sent again was answered.
CREATE TABLE es_command (
  command_id  text        COLLATE "C" NOT NULL PRIMARY KEY,
  position    bigint      NOT NULL,
  versions    text        NOT NULL,
  recorded_at timestamptz NOT NULL
);

CREATE TABLE es_snapshot (
  stream_id     text    COLLATE "C" NOT NULL PRIMARY KEY,
  state_version integer NOT NULL,
  version       bigint  NOT NULL,
  position      bigint  NOT NULL,
  state         text    NOT NULL
);

CREATE TABLE es_consumer (
  name       text        COLLATE "C" NOT NULL,
  slice      integer     NOT NULL,
  position   bigint      NOT NULL,
  fence      bigint      NOT NULL,
  owner      text,
  expires_at timestamptz,
  PRIMARY KEY (name, slice)
) WITH (fillfactor = 70);

CREATE TABLE es_signed_checkpoint (
  position  bigint NOT NULL PRIMARY KEY,
  chain     bytea  NOT NULL,
  signed_at text   NOT NULL,
  key_id    text   NOT NULL,
  signature bytea  NOT NULL
);

CREATE FUNCTION es_refuse_change_of_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The log is append-only: % on % is refused', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege', HINT = 'Correct a fact by appending another event.';
END $$;

-- Statement triggers also refuse what would match no row; ALWAYS keeps them on in a session that plays a replica.
CREATE TRIGGER es_event_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON es_event
  FOR EACH STATEMENT EXECUTE FUNCTION es_refuse_change_of_history();
CREATE TRIGGER es_batch_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON es_batch
  FOR EACH STATEMENT EXECUTE FUNCTION es_refuse_change_of_history();
ALTER TABLE es_event ENABLE ALWAYS TRIGGER es_event_is_append_only;
ALTER TABLE es_batch ENABLE ALWAYS TRIGGER es_batch_is_append_only;
