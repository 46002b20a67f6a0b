import type { Transaction } from '@app/event-store';

/**
 * Neither table is part of the record: a slot is worth a window's length, a peak a hold-down. Times are milliseconds since 1970.
 *
 * `rate_take` locks the windows first and looks afterwards, each in a statement of its own: one statement would look with the snapshot it had before
 * it waited, and two processes would both see the last free slot. The wait is that of the slot which has to leave before there is room. Every call
 * that gets in takes up to four outlived slots of anybody away for each that it takes, so the table never holds more than is in force. Nothing is lost but a slot when the
 * database falls over, so nobody waits for the disk.
 */
export const migrateLoadGuard = async (client: Transaction): Promise<void> => {
  await client.query('CREATE TABLE IF NOT EXISTS load_peak (id integer PRIMARY KEY, at_ms bigint NOT NULL)');
  await client.query(`
    CREATE TABLE IF NOT EXISTS rate_slot (
      key text NOT NULL, ref text NOT NULL, at_ms bigint NOT NULL, until_ms bigint NOT NULL, PRIMARY KEY (key, ref))`);
  await client.query('CREATE INDEX IF NOT EXISTS rate_slot_newest ON rate_slot (key, at_ms DESC)');
  await client.query('CREATE INDEX IF NOT EXISTS rate_slot_outlived ON rate_slot (until_ms)');
  await client.query(`
    CREATE OR REPLACE FUNCTION rate_take(keys text[], limits bigint[], windows_ms bigint[], call_ref text, now_ms bigint, slots bigint[], OUT full_key text, OUT wait_ms bigint)
    LANGUAGE plpgsql AS $body$
    DECLARE until_free bigint; swept bigint := (SELECT 4 * max(slot) FROM unnest(slots) AS slot);
    BEGIN
      PERFORM set_config('synchronous_commit', 'off', true);
      FOR n IN 1 .. cardinality(keys) LOOP
        PERFORM pg_advisory_xact_lock(hashtextextended(keys[n], 7319462501));
      END LOOP;
      FOR n IN 1 .. cardinality(keys) LOOP
        CONTINUE WHEN EXISTS (SELECT FROM rate_slot s WHERE s.key = keys[n] AND s.ref = call_ref AND s.at_ms > now_ms - windows_ms[n]);
        IF slots[n] > limits[n] THEN
          until_free := windows_ms[n];
        ELSE
          SELECT s.at_ms + windows_ms[n] - now_ms INTO until_free FROM rate_slot s
            WHERE s.key = keys[n] AND s.at_ms > now_ms - windows_ms[n] ORDER BY s.at_ms DESC OFFSET limits[n] - slots[n] LIMIT 1;
        END IF;
        IF until_free IS NOT NULL AND (wait_ms IS NULL OR until_free > wait_ms) THEN
          full_key := keys[n];
          wait_ms := until_free;
        END IF;
      END LOOP;
      IF full_key IS NULL THEN
        FOR n IN 1 .. cardinality(keys) LOOP
          INSERT INTO rate_slot AS s (key, ref, at_ms, until_ms)
            SELECT keys[n], CASE WHEN slot = 1 THEN call_ref ELSE call_ref || '#' || slot END, now_ms, now_ms + windows_ms[n] FROM generate_series(1, slots[n]) AS slot
          ON CONFLICT (key, ref) DO UPDATE SET at_ms = excluded.at_ms, until_ms = excluded.until_ms WHERE s.at_ms <= now_ms - windows_ms[n];
        END LOOP;
        DELETE FROM rate_slot WHERE ctid = ANY (ARRAY (SELECT s.ctid FROM rate_slot s WHERE s.until_ms <= now_ms ORDER BY s.until_ms LIMIT greatest(4, swept) FOR UPDATE SKIP LOCKED));
      END IF;
    END $body$`);
};
