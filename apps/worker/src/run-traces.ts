import type { Pool } from 'pg';
import type { SubscribeOptions } from '@app/event-store';
import type { IdempotencyStore } from '@app/http';
import type { Recorded } from '@app/kernel';
import { subjectOfGoal, Traces, type ForgottenRun } from '@app/privacy';
import { subjectOfRun, type RunEvent } from '@app/runs/contract';
import type { VaultPayloads } from '@app/vault';

type Stores = { readonly pool: Pick<Pool, 'query'>; readonly payloads: VaultPayloads; readonly idempotency: IdempotencyStore };

/** The route that forgets: its answer has an id and three counts, nothing of what was forgotten. */
const FORGET_ROUTE = '/api/v1/privacy/forget';

/** Keys first: what is read after that, by whomever, reads as forgotten. */
export class RunTraces extends Traces {
  constructor(private readonly stores: Stores) {
    super();
  }

  override async destroy({ runId, goals, approvals, stagings }: ForgottenRun): Promise<void> {
    const { pool, payloads, idempotency } = this.stores;
    await payloads.forget([subjectOfRun(runId), ...goals.map(subjectOfGoal)]);
    const streams = [`run-${runId}`, ...goals.map((id) => `goal-${id}`), ...approvals.map((id) => `approval-${id}`), ...stagings.map((id) => `staging-${id}`)];
    await pool.query('DELETE FROM es_snapshot WHERE stream_id = ANY ($1)', [streams]);
    await pool.query('DELETE FROM worker_call WHERE run_id = $1', [runId]);
    await idempotency.withdraw([runId, ...goals, ...approvals, ...stagings], [FORGET_ROUTE]);
  }
}

/** Whoever forgets a run destroys its traces at once; this is for a process that died before it could. */
export const runForgetting = (traces: Traces): SubscribeOptions => ({
  name: 'run-forgetting',
  filter: { categories: ['run'], types: ['RunForgotten'] },
  handler: async (events) => {
    for (const { streamId, data } of events as unknown as readonly Recorded<Extract<RunEvent, { type: 'RunForgotten' }>>[]) await traces.destroy({ runId: streamId.slice('run-'.length), ...data });
    return undefined;
  },
});
