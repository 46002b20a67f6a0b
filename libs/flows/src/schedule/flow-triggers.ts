import { PARK_AFTER_FIVE, UNCONCERNED, type Consumers, type Delivery, type Subscription, type Transaction } from '@app/event-store';
import { categoryOf, idOf, type Recorded } from '@app/kernel';
import { DeadlineTable } from '@app/scheduler';
import type { FlowEvent } from '../flow.events';
import { ofEvent } from './flow-deadlines.process';

/** `pending`: the event that made it due, until the flow has begun for it. */
type Trigger = { readonly flowId: string; readonly siteId: string; readonly principalId: string; readonly types: readonly string[]; readonly pending: string | null };
type Known = { readonly triggers: Map<string, Trigger>; readonly runs: Set<string> };
type Row = { readonly flow_id: string; readonly site_id: string; readonly principal_id: string; readonly types: readonly string[]; readonly pending: string | null };

/** Flows as far as their triggers are concerned, and the runs of those under way; both follow from the log in the consumer's own transactions. */
export const migrateFlows = async (client: Transaction): Promise<void> => {
  await client.query('CREATE TABLE IF NOT EXISTS flow_trigger (flow_id text PRIMARY KEY, site_id text NOT NULL, principal_id text NOT NULL, types text[] NOT NULL)');
  await client.query('ALTER TABLE flow_trigger ADD COLUMN IF NOT EXISTS pending text');
  await client.query('CREATE TABLE IF NOT EXISTS flow_run (run_id text PRIMARY KEY)');
};

/**
 * Starts flows that wait for events: from where a flow is defined on, every event of its site and types makes it due, and a crowd of them makes it due
 * once: the first since the flow began last, whatever the batches in which they are read. What flows do themselves starts no flow, neither their own
 * nor another: two could otherwise call each other for ever.
 */
export class FlowTriggers {
  private readonly deadlines: DeadlineTable;
  /** The tables as they are while this process leads: nobody else writes them then. Each time it takes the lead has a signal of its own. */
  private kept: { readonly lead: AbortSignal; readonly known: Known } | undefined;
  private subscription: Subscription | undefined;

  constructor(
    scheduler: string,
    private readonly consumers: Consumers,
  ) {
    this.deadlines = new DeadlineTable(scheduler);
  }

  start(): void {
    this.subscription = this.consumers.subscribe({ name: 'flow-triggers', failure: PARK_AFTER_FIVE, handler: (events, tx, delivery) => this.handle(events, tx, delivery) });
  }

  stop = async () => this.subscription?.stop();

  private async handle(events: readonly Recorded[], tx: Transaction, { signal: lead }: Delivery): Promise<void | typeof UNCONCERNED> {
    const known = this.kept?.lead === lead ? this.kept.known : await read(tx);
    const { triggers, runs } = known;
    const changes = events.some(({ streamId }) => categoryOf(streamId) === 'flow');
    // What is changed holds only once it is committed: the next batch reads it again.
    this.kept = changes ? undefined : { lead, known };
    const due = new Map<string, Recorded>();
    for (const event of events) {
      if (categoryOf(event.streamId) === 'flow') await follow(event as Recorded<FlowEvent>, triggers, runs, tx);
      else if (!isOfFlow(event, triggers, runs)) {
        for (const trigger of triggers.values()) {
          if (trigger.pending !== null || trigger.siteId !== event.siteId || !trigger.types.includes(event.type)) continue;
          due.set(trigger.flowId, event);
          triggers.set(trigger.flowId, { ...trigger, pending: event.eventId });
        }
      }
    }
    if (!changes && due.size === 0) return UNCONCERNED;
    this.kept = undefined;
    for (const [flowId, { siteId, occurredAt, position, eventId }] of due) {
      const trigger = triggers.get(flowId);
      if (!trigger) continue;
      await tx.query('UPDATE flow_trigger SET pending = $2 WHERE flow_id = $1', [flowId, trigger.pending]);
      await this.deadlines.apply(tx, { siteId, eventId, change: { set: ofEvent(flowId), at: occurredAt, topic: `event ${position}` } });
    }
    return undefined;
  }
}

const read = async (tx: Transaction): Promise<Known> => ({
  triggers: new Map((await tx.query<Row>('SELECT flow_id, site_id, principal_id, types, pending FROM flow_trigger')).rows.map((row) => [row.flow_id, triggerOf(row)])),
  runs: new Set((await tx.query<{ run_id: string }>('SELECT run_id FROM flow_run')).rows.map(({ run_id: id }) => id)),
});

const triggerOf = ({ flow_id: flowId, site_id: siteId, principal_id: principalId, types, pending }: Row): Trigger => ({ flowId, siteId, principalId, types, pending });

const isOfFlow = ({ streamId, metadata }: Recorded, triggers: ReadonlyMap<string, Trigger>, runs: ReadonlySet<string>): boolean => {
  const runId = metadata.runId ?? (categoryOf(streamId) === 'run' ? idOf(streamId) : undefined);
  return (runId !== undefined && runs.has(runId)) || [...triggers.values()].some(({ principalId }) => principalId === metadata.actor.id);
};

const follow = async (event: Recorded<FlowEvent>, triggers: Map<string, Trigger>, runs: Set<string>, tx: Transaction): Promise<void> => {
  const flowId = idOf(event.streamId);
  const { type, data } = event;
  const keep = async (trigger: Trigger) => {
    triggers.set(flowId, trigger);
    await tx.query(
      `INSERT INTO flow_trigger (flow_id, site_id, principal_id, types) VALUES ($1, $2, $3, $4)
       ON CONFLICT (flow_id) DO UPDATE SET types = excluded.types, pending = NULL`,
      [flowId, trigger.siteId, trigger.principalId, trigger.types],
    );
  };
  const typesOf = (shape: { readonly enabled: boolean; readonly trigger: Extract<FlowEvent, { type: 'FlowDefined' }>['data']['trigger'] }) =>
    shape.enabled && shape.trigger.on === 'event' ? shape.trigger.types : [];
  switch (type) {
    case 'FlowDefined':
      return keep({ flowId, siteId: data.siteId, principalId: data.principalId, types: typesOf(data), pending: null });
    case 'FlowChanged': {
      const known = triggers.get(flowId);
      return known && keep({ ...known, types: typesOf(data), pending: null });
    }
    case 'FlowDeleted': {
      triggers.delete(flowId);
      await tx.query('DELETE FROM flow_trigger WHERE flow_id = $1', [flowId]);
      return;
    }
    case 'FlowStarted': {
      const trigger = triggers.get(flowId);
      if (trigger && data.cause === 'event') {
        triggers.set(flowId, { ...trigger, pending: null });
        await tx.query('UPDATE flow_trigger SET pending = NULL WHERE flow_id = $1', [flowId]);
      }
      runs.add(data.runId);
      await tx.query('INSERT INTO flow_run (run_id) VALUES ($1) ON CONFLICT DO NOTHING', [data.runId]);
      return;
    }
    case 'FlowRan': {
      runs.delete(data.runId);
      await tx.query('DELETE FROM flow_run WHERE run_id = $1', [data.runId]);
      return;
    }
  }
};
