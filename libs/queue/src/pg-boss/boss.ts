import type { Database } from '@app/event-store';
import type { PgBoss, QueueResult } from 'pg-boss';
import { AGENT_DEAD_LETTER, type QueueDefinition } from '../queues';

export const SCHEMA = 'pgboss';
/** pg-boss's least. A dead process's job is found after this and at most SWEEP_SECONDS more. */
export const HEARTBEAT_SECONDS = 10;
const SWEEP_SECONDS = 5;
/** Waiting jobs and dead letters are never dropped for their age (ten years); ended ones are, and their ids are forgotten with them. */
const KEEP_WAITING_SECONDS = 315_360_000;
const KEEP_ENDED_SECONDS = 604_800;

type Declared = Pick<QueueResult, 'retryLimit' | 'retryDelay' | 'expireInSeconds' | 'heartbeatSeconds' | 'retentionSeconds' | 'deleteAfterSeconds'>;

const kept = { retentionSeconds: KEEP_WAITING_SECONDS, deleteAfterSeconds: KEEP_ENDED_SECONDS };

const settingsOf = ({ attempts, backoffSeconds, timeoutSeconds }: QueueDefinition) => ({
  ...kept, retryLimit: attempts - 1, retryDelay: backoffSeconds, retryBackoff: true, expireInSeconds: timeoutSeconds, heartbeatSeconds: HEARTBEAT_SECONDS,
  deadLetter: AGENT_DEAD_LETTER,
});

/** Its module is loaded here, since that takes 60 ms that the server's start need not wait for. Not started yet. */
export const loadBoss = async (db: Database, onError: (error: unknown) => void): Promise<PgBoss> => {
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({
    db: { executeSql: (text, values) => db.query(text, values) },
    schema: SCHEMA, schedule: false, registerInstance: false, superviseIntervalSeconds: SWEEP_SECONDS, monitorIntervalSeconds: SWEEP_SECONDS,
    flowIntervalSeconds: 3_600, openTelemetry: { enabled: false },
  });
  boss.on('error', onError);
  return boss;
};

/** May be called again after a failure. */
export const startBoss = async (boss: PgBoss) => {
  await boss.start();
  await createOrUpdate(boss, AGENT_DEAD_LETTER, kept);
};

export const declareQueue = (boss: PgBoss, queue: QueueDefinition) => createOrUpdate(boss, queue.name, settingsOf(queue));

/** Its workers are not used, so there is nothing to wait for. */
export const stopBoss = (boss: PgBoss) => boss.stop({ graceful: false });

const createOrUpdate = async (boss: PgBoss, name: string, settings: Partial<Declared> & { readonly deadLetter?: string }) => {
  const found = await boss.getQueue(name);
  if (!found) await boss.createQueue(name, settings);
  else if ((Object.keys(settings) as (keyof typeof settings)[]).some((each) => found[each] !== settings[each])) await boss.updateQueue(name, settings);
};
