import type { Bus } from '@app/cqrs';
import type { EventStore } from '@app/event-store';
import { callsInFlight } from '@app/kill-switch';
import type { Liveness } from '@app/liveness';
import type { Context } from '@app/kernel';
import type { ReadModels } from '@app/projections';
import { AGENT_RUNS, type QueueProvider } from '@app/queue';
import { runs } from '@app/runs';
import { BY_CLIENT, RecoverCall, ReleaseRun } from '@app/tool-calls/contract';
import { sleepUntil } from './pause';

export type LostWorkersOptions = {
  readonly bus: Bus;
  readonly store: Pick<EventStore, 'read'>;
  readonly reads: ReadModels;
  readonly liveness: Liveness;
  readonly queue: QueueProvider | null;
  readonly sites: () => Promise<readonly string[]>;
  readonly onError: (error: unknown) => void;
  readonly now?: () => Date;
  readonly everyMs?: number;
  /** Only calls of this process: what a gateway without the worker role looks after. */
  readonly ownOnly?: boolean;
};

const EVERY_MS = 2_000;
/** A call of this very process is begun right after its append; one that was not by then never will be. */
const OWN_AFTER_MS = 10_000;
const PAGE = 200;
/** A call of before processes had ids, or one whose row is older than any handler may run, names nobody who could be asked. */
const NAMELESS_AFTER_MS = 15 * 60_000;

/**
 * Looks for what lost processes left behind: calls without an outcome, and runs whose worker is gone; and for runs that this very process holds without carrying them out. Any number of processes may look; the
 * log lets one of them act.
 */
export const lostWorkers = ({ bus, store, reads, liveness, queue, sites, onError, now = () => new Date(), everyMs = EVERY_MS, ownOnly = false }: LostWorkersOptions) => {
  const stopping = new AbortController();
  const running = new Map<string, Promise<unknown>>();
  let looking: Promise<void> = Promise.resolve();

  const contextOf = (siteId: string, commandId: string): Context => ({ actor: { kind: 'service', id: 'recovery' }, siteId, now: now(), correlationId: commandId, commandId });

  const recover = (siteId: string, { id, runId, callId }: { id: string; runId: string; callId: string }) => {
    const work = authorisedBy(store, runId, callId)
      .then((authorised) => bus.send(new RecoverCall(runId, callId, (step) => contextOf(siteId, `${step}:${authorised}`))))
      .then((outcome) => (outcome.ok ? undefined : onError(new Error(outcome.rejection.detail))), onError)
      .finally(() => running.delete(id));
    running.set(id, work);
  };

  const lookAtCalls = async (siteId: string) => {
    for (let cursor: string | undefined; ; ) {
      const page = await reads.list(callsInFlight, { siteId, limit: PAGE, ...(cursor !== undefined && { cursor }) });
      const named = page.rows.filter(({ handledBy }) => handledBy !== BY_CLIENT && (!ownOnly || handledBy === liveness.id));
      const alive = await liveness.alive([...new Set(named.flatMap(({ handledBy }) => (handledBy === null ? [] : [handledBy])))]);
      for (const row of named) {
        const ageMs = now().getTime() - Date.parse(row.authorisedAt);
        const isLost = row.handledBy === null ? ageMs > NAMELESS_AFTER_MS : row.handledBy === liveness.id ? ageMs > OWN_AFTER_MS : !alive.has(row.handledBy);
        if (isLost && !running.has(row.id) && !stopping.signal.aborted) recover(siteId, row);
      }
      if (page.nextCursor === null) return;
      cursor = page.nextCursor;
    }
  };

  const lookAtRuns = async (siteId: string) => {
    const { rows } = await reads.list(runs, { siteId, limit: PAGE, where: [{ path: 'status', is: 'eq', value: 'running' }, { path: 'kind', is: 'eq', value: 'task' }] });
    for (const { id: runId, worker, position } of rows) {
      if (worker !== liveness.id || stopping.signal.aborted) continue;
      const released = await bus.send(new ReleaseRun(runId, contextOf(siteId, `release:${runId}:${position}`)));
      if (!released.ok) onError(new Error(released.rejection.detail));
    }
    const held = rows.filter(({ worker }) => worker !== null && worker !== liveness.id);
    const alive = await liveness.alive([...new Set(held.map(({ worker }) => worker!))]);
    for (const { id: runId, worker } of held) {
      if (alive.has(worker!)) continue;
      const queued = await queue!.enqueue(AGENT_RUNS, `${runId}/lost/${worker}`, { runId, siteId });
      if (!queued.ok) onError(new Error(queued.rejection.detail));
    }
  };

  const look = async () => {
    for (const siteId of await sites()) {
      await lookAtCalls(siteId);
      if (queue && !ownOnly) await lookAtRuns(siteId);
    }
  };

  const loop = async () => {
    while (!stopping.signal.aborted) {
      await look().catch(onError);
      await sleepUntil(everyMs, stopping.signal);
    }
  };

  return {
    look,
    start: () => {
      looking = loop();
    },
    stop: async () => {
      stopping.abort();
      await looking;
      await Promise.all(running.values());
    },
  };
};

/** The event that let the lost call begin, the last one when it was begun again. */
const authorisedBy = async (store: Pick<EventStore, 'read'>, runId: string, callId: string): Promise<string> => {
  let authorised = `${runId}:${callId}`;
  for await (const { type, data, eventId } of store.read(`run-${runId}`)) if (type === 'ToolCallAuthorised' && (data as { readonly callId?: unknown }).callId === callId) authorised = eventId;
  return authorised;
};
