import { ArtifactSchedule } from '@app/artifacts';
import { Consumers, Executor, Leases, PostgresEventStore, States } from '@app/event-store';
import { FlowSchedule, migrateFlows } from '@app/flows';
import { ItemPages, NoOutsideLinks, Reconciler } from '@app/intents';
import type { Context } from '@app/kernel';
import { Backpressure, LoadProbe } from '@app/load-guard';
import { migrateNotifications, NotificationDispatcher, Outbox } from '@app/notifications';
import { AGENT_RUNS } from '@app/queue';
import { migrateDeadlines } from '@app/scheduler';
import { RecoverCall } from '@app/tool-calls/contract';
import { Pool } from 'pg';
import { catalogue } from '../apps/gateway/src/composition';
import { agentRuns } from '../apps/worker/src/agent-runs';
import { approvalExpiry } from '../apps/worker/src/approval-expiry';
import { deploymentOutcomes } from '../apps/worker/src/deployment-outcomes';
import { lostWorkers } from '../apps/worker/src/lost-workers';
import { DAILY, promotionCheck } from '../apps/worker/src/promotion-check';
import { vetoCommits } from '../apps/worker/src/veto-commits';
import { testDatabase } from './database';
import { SITE, START, type Written } from './process-history';

class NoPages extends ItemPages {
  override caughtUp = () => Promise.resolve();
  override after = () => Promise.resolve([]);
}
class Pressed extends LoadProbe {
  override sample = () => Promise.resolve({ eventLoopDelayMs: 9_000, projectionLagMs: 0, databaseLatencyMs: 0 });
  override stop = () => undefined;
}
type Job = { readonly id: string; readonly payload: { readonly runId: string } };

/** A log of its own with a history in it, and processes that come and go over it. */
export const processWorld = async (history: readonly Written[]) => {
  const { drop, ...connection } = await testDatabase();
  const pool = new Pool({ ...connection, max: 16 });
  pool.on('error', () => undefined);
  for (const migrate of [migrateDeadlines, migrateFlows, migrateNotifications]) await migrate(pool);
  const store = await new PostgresEventStore({ connection, catalogue }).start();
  for (const { streamId, eventId, ...event } of history) {
    const done = await store.append([{ streamId, expected: 'any', events: [{ ...event, eventId }] }], [], { actor: { kind: 'human', id: 'ada' }, siteId: SITE, now: new Date(START), correlationId: 'c', commandId: 'c' });
    if (!done.ok) throw new Error(`${event.type}: ${JSON.stringify(done)}`);
  }

  /** Every process of the product from its last checkpoint on, first before and then behind all that comes due; gives the ids of the commands it sent. */
  const run = async (): Promise<{ readonly sent: ReadonlySet<string>; readonly errors: readonly unknown[] }> => {
    const [sent, errors, jobs] = [new Set<string>(), [] as unknown[], [] as Job[]];
    const noteContext = (context: Context) => void sent.add(context.commandId);
    // The handlers of these commands have specs of their own; what counts here is which commands come.
    const bus = {
      send: (command: { readonly context?: Context; readonly contextFor?: (step: string) => Context }) => {
        noteContext(command.context ?? command.contextFor!(command instanceof RecoverCall ? 'lost' : 'step'));
        return Promise.resolve({ ok: true, data: { status: 'executed' }, position: 0n });
      },
    } as never;
    let work: (job: Job) => Promise<void> = () => Promise.resolve();
    let bury: (letter: object) => Promise<void> = () => Promise.resolve();
    const queue = {
      enqueue: (_queue: string, id: string, payload: Job['payload']) => Promise.resolve({ ok: true, added: jobs.push({ id, payload }) > 0 }),
      work: (_queue: string, handler: typeof work) => void (work = handler),
      onDeadLetter: (handler: typeof bury) => void (bury = handler),
    } as never;
    let clock = new Date(START);
    const now = () => clock;
    const onError = (error: unknown) => void errors.push(error);
    // What a process decides on its own, without the bus.
    const executor = new Executor(store, new States(store), { observer: { decision: (_streams, context, decide) => (noteContext(context), decide(context)) } });
    const consumers = new Consumers(store, pool, new Leases(pool));
    const common = { db: pool, pool, consumers, store, executor, bus, onError, now };
    const reads = { list: () => Promise.resolve({ rows: history.flatMap(({ type, streamId, data }) => (type === 'ToolCallAuthorised' ? [{ id: streamId, runId: streamId.slice(4), callId: (data as { callId: string }).callId, handledBy: 'gone', authorisedAt: clock.toISOString() }] : [])), nextCursor: null }) } as never;
    const lost = lostWorkers({ ...common, reads, liveness: { id: 'here', alive: () => Promise.resolve(new Set()) } as never, queue: null, sites: () => Promise.resolve([SITE]) });
    const outbox = new Outbox();
    const letters = new NotificationDispatcher({ ...common, outbox, linksFor: () => Promise.resolve([]), send: () => Promise.resolve({ ok: true }) });
    const pressed = new Backpressure({ ...common, probe: new Pressed(), peaks: { note: () => Promise.resolve() } as never, sites: () => Promise.resolve([SITE]), thresholds: { eventLoopDelayMs: 1, projectionLagMs: 1, databaseLatencyMs: 1 }, holdDownMs: 1 });
    const processes = [
      agentRuns({ ...common, queue }), approvalExpiry(common), deploymentOutcomes(common), promotionCheck({ ...common, schedule: DAILY }), vetoCommits({ ...common, reads }), new FlowSchedule(common),
      new Reconciler({ ...common, pages: new NoPages(), links: new NoOutsideLinks() }), new ArtifactSchedule(common),
    ];
    for (const each of processes) each.start();
    const quiet = async () => {
      for (let [before, since] = ['', performance.now()]; performance.now() - since < 1_500; await new Promise((turn) => setTimeout(turn, 100))) {
        const { rows } = await pool.query('SELECT scheduler, key, next_ms FROM deadline ORDER BY 1, 2');
        const seen = JSON.stringify([rows, sent.size, jobs.length]);
        if (seen !== before) [before, since] = [seen, performance.now()];
      }
    };
    await quiet();
    clock = new Date(START + 4 * 86_400_000);
    await quiet();
    for (const job of [...jobs]) {
      await work(job);
      await bury({ id: `letter-${job.id}`, queue: AGENT_RUNS, payload: job.payload, attempts: 1, error: 'x' });
    }
    const [told] = history;
    const notification = { id: 'n', siteId: SITE, kind: 'run', title: 't', text: 't', runId: null, deadline: null, at: clock.toISOString() } as const;
    await outbox.add(pool, notification, [{ deliveryId: 'run:n:channel', target: { sink: 'channel', channel: 'c' } as never, notBefore: clock, collected: false }], told!.eventId);
    await letters.sendDue();
    await lost.look();
    await lost.stop();
    await pressed.look();
    for (const each of processes) await each.stop();
    await consumers.stop();
    return { sent, errors };
  };
  return {
    run,
    head: () => store.head(),
    /** As if no process had ever run: whoever comes next reads the log from its start. */
    forget: () => pool.query('TRUNCATE deadline, es_consumer, flow_trigger, flow_run, notification_outbox'),
    close: async () => {
      await store.close();
      await pool.end();
      await drop();
    },
  };
};
