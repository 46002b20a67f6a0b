-- Stores a batch of independent commands in one transaction and answers each of them. A refused command takes nothing from its neighbours.
--
-- Lists of texts come joined by U+001F, which neither canonical JSON nor a checked id can contain: splitting them costs a third of parsing
-- quoted array literals. The numbers in write_command and event_write are 1-based places in the lists of commands and writes; event_offset
-- is an event's 1-based place in its write. An expected version of -1 accepts any. command_ids is NULL when no command may be sent again.
--
-- The lock is a statement of its own, and first: under READ COMMITTED each later statement takes its snapshot after the lock was granted,
-- so it sees everything that was committed before. The lock ends with the transaction, after its rows have become visible.
CREATE OR REPLACE FUNCTION es_append(
  sites text, occurred_ms bigint[], occurred_at text, metadata text, command_ids text,
  write_command int[], streams text, expected bigint[], counts int[],
  guard_command int[], guard_streams text, guard_versions bigint[],
  event_write int[], event_offset int[], event_ids uuid[], types text, schema_versions smallint[], data text,
  OUT head bigint, OUT versions text, OUT starts text, OUT guarded text, OUT repeated text
) LANGUAGE plpgsql
  -- The plans are made once per session, when the tables may be tiny: only an index keeps them right when the tables have grown.
  SET enable_seqscan = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  separator CONSTANT text := E'\x1f';
  site_ids    text[] := string_to_array(sites, separator);
  instants    text[] := string_to_array(occurred_at, separator);
  metadatas   text[] := string_to_array(metadata, separator);
  stream_ids  text[] := string_to_array(streams, separator);
  actual      bigint[];
  guard_now   bigint[];
  refused     int[];
  before      bigint[];
  previous    bytea;
  level       bytea;
  above       bytea;
  pair        int;
  first_new   bigint;
  last_new    bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(731946250118);

  SELECT b.last_position, b.chain INTO head, previous FROM es_batch b ORDER BY b.first_position DESC LIMIT 1;
  IF NOT FOUND THEN
    head := 0;
    previous := decode(repeat('00', 32), 'hex');
  END IF;
  first_new := head + 1;

  -- Verdicts.
  actual := ARRAY(SELECT coalesce((SELECT s.version FROM es_stream s WHERE s.stream_id = w.id), 0) FROM unnest(stream_ids) AS w(id));
  refused := ARRAY(SELECT w.command FROM unnest(write_command, expected, actual) AS w(command, wanted, found) WHERE w.wanted >= 0 AND w.wanted <> w.found);
  IF guard_streams <> '' THEN
    guard_now := ARRAY(SELECT coalesce((SELECT s.version FROM es_stream s WHERE s.stream_id = g.id), 0)
                       FROM unnest(string_to_array(guard_streams, separator)) AS g(id));
    refused := refused || ARRAY(SELECT g.command FROM unnest(guard_command, guard_versions, guard_now) AS g(command, wanted, found) WHERE g.wanted <> g.found);
    guarded := array_to_string(guard_now, ',');
  END IF;
  IF command_ids IS NOT NULL THEN
    SELECT json_agg(json_build_array(sent.command, done.position::text, done.versions))::text, refused || array_agg(sent.command::int)
      INTO repeated, refused
      FROM unnest(string_to_array(command_ids, separator)) WITH ORDINALITY AS sent(id, command)
      JOIN es_command done ON done.command_id = sent.id;
  END IF;
  -- The position before a write's first event; NULL where its command is refused.
  before := ARRAY(
    SELECT CASE WHEN w.won THEN head + sum(w.n) FILTER (WHERE w.won) OVER (ROWS UNBOUNDED PRECEDING) - w.n END
    FROM (SELECT n, command <> ALL (refused) AS won FROM unnest(write_command, counts) AS u(command, n)) AS w);
  versions := array_to_string(actual, ',');
  starts := array_to_string(before, ',', '');

  -- Events.
  WITH stored AS (
    INSERT INTO es_event (position, stream_id, version, event_id, type, schema_version, site_id, occurred_ms, data, metadata, batch, leaf)
    SELECT w.position, w.stream_id, w.version, w.event_id, w.type, w.schema_version, w.site_id, w.ms, w.data, w.metadata, first_new,
           sha256(convert_to('{"data":' || w.data || (',"eventId":"' || w.event_id || '","metadata":' || w.metadata || ',"occurredAt":"' || w.instant
             || '","position":"' || w.position || '","schemaVersion":' || w.schema_version || ',"siteId":"' || w.site_id
             || '","streamId":"' || w.stream_id || '","type":"' || w.type || '","version":' || w.version || '}'), 'UTF8'))
    FROM (
      SELECT before[e.write] + e.place AS position, actual[e.write] + e.place AS version, stream_ids[e.write] AS stream_id, e.event_id, e.type,
             e.schema_version, e.data, site_ids[write_command[e.write]] AS site_id, occurred_ms[write_command[e.write]] AS ms,
             instants[write_command[e.write]] AS instant, metadatas[write_command[e.write]] AS metadata
      FROM unnest(event_write, event_offset, event_ids, string_to_array(types, separator), schema_versions, string_to_array(data, separator))
           AS e(write, place, event_id, type, schema_version, data)
      WHERE before[e.write] IS NOT NULL
      OFFSET 0
    ) AS w
    RETURNING position, leaf
  )
  SELECT max(stored.position), string_agg(stored.leaf, '' ORDER BY stored.position) INTO last_new, level FROM stored;
  IF last_new IS NULL THEN
    RETURN;
  END IF;

  INSERT INTO es_stream AS s (stream_id, version, site_id)
    SELECT w.id, w.found + w.n, site_ids[w.command]
    FROM unnest(stream_ids, actual, counts, before, write_command) AS w(id, found, n, before, command)
    WHERE w.before IS NOT NULL
    ON CONFLICT (stream_id) DO UPDATE SET version = excluded.version;

  IF command_ids IS NOT NULL THEN
    INSERT INTO es_command (command_id, position, versions, recorded_at)
      SELECT sent.id, max(w.before + w.n), json_object_agg(w.id, w.found + w.n)::text, clock_timestamp()
      FROM unnest(string_to_array(command_ids, separator)) WITH ORDINALITY AS sent(id, command)
      JOIN unnest(stream_ids, actual, counts, before, write_command) AS w(id, found, n, before, command) ON w.command = sent.command
      WHERE sent.id <> '' AND w.before IS NOT NULL
      GROUP BY sent.id;
  END IF;

  -- Merkle root over the leaves, which lie side by side, 32 bytes each; an odd last node moves up unchanged.
  WHILE octet_length(level) > 32 LOOP
    above := '';
    FOR pair IN 0 .. octet_length(level) / 64 - 1 LOOP
      above := above || sha256('\x01'::bytea || substring(level FROM pair * 64 + 1 FOR 64));
    END LOOP;
    level := above || substring(level FROM octet_length(level) / 64 * 64 + 1);
  END LOOP;
  INSERT INTO es_batch (first_position, last_position, root, previous, chain, committed_at)
    VALUES (first_new, last_new, level, previous, sha256(previous || level || int8send(first_new) || int8send(last_new)), clock_timestamp());
END $$;
