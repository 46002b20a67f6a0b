import { randomUUID } from 'node:crypto';
import type { EffectiveTool } from '@app/governance/contract';
import { mayRepeat, OutcomeUnknown, ToolHandlers, type CallContext, type Change } from '@app/tool-calls/contract';
import { Boxes } from './boxes';
import type { CallOffers } from './call-offers';
import type { CallWatch } from './call-watch';
import type { WorkerCallTable } from './worker-call-table';

export type WorkerToolsParts = {
  readonly table: WorkerCallTable;
  readonly watch: CallWatch;
  readonly boxes: Boxes;
  /** Beside those who poll. */
  readonly offers?: CallOffers | undefined;
  readonly onError: (error: unknown) => void;
};

const LATE = 'The time of the call was up before its worker was done.';
const LATE_AND_SEALED = `${LATE} Its arguments hold a secret: they are handed out over HTTP only, and never through a message broker.`;

/** Of a tool whose registration names none. */
const DEFAULT_LEASE_MS = 30_000;

/**
 * Tools that processes outside of this server carry out. A call is offered to them and waits for the outcome of whoever takes it. When the time
 * limit of the call comes first, the offer is withdrawn and what its worker says then is too late.
 */
export class WorkerTools extends ToolHandlers {
  constructor(private readonly parts: WorkerToolsParts) {
    super();
  }

  override handles = (tool: EffectiveTool): boolean => tool.kind === 'worker';

  override async run(tool: EffectiveTool, input: Readonly<Record<string, unknown>>, { context: { siteId }, runId, callId, signal }: CallContext): Promise<unknown> {
    const { table, watch, boxes, offers, onError } = this.parts;
    const key = { runId, callId };
    const leaseMs = tool.worker?.leaseMs ?? DEFAULT_LEASE_MS;
    const waiter = randomUUID();
    const box = await boxes.close(key, siteId, input);
    await table.offer({ ...key, siteId, tool: tool.name, input: box, leaseMs, repeatable: mayRepeat(tool), waiter });
    try {
      const isSealed = Boxes.isSealed(box);
      const settled = await watch.settled(key, signal, isSealed ? undefined : () => offers?.announce({ ...key, siteId, tool: tool.name, leaseMs }));
      if (signal.aborted) throw new Error(offers && isSealed ? LATE_AND_SEALED : LATE);
      if (settled?.outcome == null) throw new OutcomeUnknown('The worker of this call was not heard of any more.');
      const told = await boxes.open(key, settled.outcome);
      if (!told.ok) throw new OutcomeUnknown('What the worker of this call said can no longer be read.');
      if (settled.state === 'failed') throw new Error(String(told.value));
      return told.value;
    } finally {
      await table.withdraw(key, waiter).catch(onError);
    }
  }

  override preview = (): Promise<readonly Change[]> => Promise.resolve([]);

  override target = () => Promise.resolve(null);
}
