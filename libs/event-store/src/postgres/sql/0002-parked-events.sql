-- Events that a consumer could not handle and went on without; each is tried again until it is handled. See consumers/README.md.
CREATE TABLE es_parked_event (
  consumer    text        COLLATE "C" NOT NULL,
  slice       integer     NOT NULL,
  position    bigint      NOT NULL,
  attempts    integer     NOT NULL,
  error       text        NOT NULL,
  parked_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  next_try_at timestamptz NOT NULL,
  PRIMARY KEY (consumer, position)
);
