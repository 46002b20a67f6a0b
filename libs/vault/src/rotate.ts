import type { Database, Transaction } from '@app/event-store';
import type { MasterKey } from './keys/master-key';
import { OtherMasterKey } from './vault';

const PAGE = 1_000;

/**
 * Wraps the key of every subject anew, all or nothing, and gives how many there were; 0 when that was done before. Sealed values stay as they
 * are. Processes that still run under the old master key cannot open anything from then on: start them with the new one.
 */
export const rotateMasterKey = async (db: Database, from: MasterKey, to: MasterKey): Promise<number> => {
  const connection = await db.connect();
  try {
    await connection.query('BEGIN');
    const { rows } = await connection.query<{ check_value: Buffer }>('SELECT check_value FROM vault_master FOR UPDATE');
    if (rows[0] && to.isOf(rows[0].check_value)) {
      await connection.query('ROLLBACK');
      return 0;
    }
    if (!rows[0] || !from.isOf(rows[0].check_value)) throw new OtherMasterKey('The database was not sealed with the master key that is to be replaced; nothing was changed.');
    // Nobody adds a key under the old master meanwhile.
    await connection.query('LOCK TABLE vault_key IN SHARE ROW EXCLUSIVE MODE');
    let count = 0;
    for (let after = ''; ; ) {
      const subjects = await rewrapPage(connection, after, from, to);
      const last = subjects.at(-1);
      if (last === undefined) break;
      count += subjects.length;
      after = last;
    }
    await connection.query('UPDATE vault_master SET check_value = $1', [to.checkValue]);
    await connection.query('COMMIT');
    return count;
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    connection.release();
  }
};

const rewrapPage = async (tx: Transaction, after: string, from: MasterKey, to: MasterKey): Promise<readonly string[]> => {
  const { rows } = await tx.query<{ subject: string; wrapped: Buffer }>('SELECT subject, wrapped FROM vault_key WHERE subject > $1 ORDER BY subject LIMIT $2', [after, PAGE]);
  const wrapped = rows.map(({ subject, wrapped: before }) => to.wrap(from.unwrap(before, subject), subject));
  await tx.query('UPDATE vault_key SET wrapped = new.wrapped FROM unnest($1::text[], $2::bytea[]) AS new (subject, wrapped) WHERE vault_key.subject = new.subject', [
    rows.map(({ subject }) => subject), wrapped,
  ]);
  return rows.map(({ subject }) => subject);
};
