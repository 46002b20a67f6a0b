import { randomBytes, randomUUID } from 'node:crypto';
import { v7 } from 'uuid';

export type BenchMetadata = {
  readonly actor: { readonly kind: 'agent'; readonly id: string; readonly role: string };
  readonly correlationId: string;
  readonly causationId: string;
  readonly commandId: string;
  readonly runId: string;
  readonly goalId: string;
};
export type BenchEvent = { readonly type: 'ItemPatched'; readonly data: Readonly<Record<string, unknown>> };
export type EventPair = readonly [BenchEvent, BenchEvent] & { readonly metadata: BenchMetadata };

const id = (prefix: string) => `${prefix}_${randomBytes(16).toString('hex')}`;
const actor = { kind: 'agent', id: id('key'), role: 'content-editor' } as const;
const [correlationId, causationId, runId, goalId] = [randomUUID(), randomUUID(), id('run'), id('goal')];

let changes = 0;
const patch = (): BenchEvent => {
  const change = ++changes;
  return {
    type: 'ItemPatched',
    data: {
      collection: 'products',
      before: { price: 10 + (change % 90), stock: change % 1_000 },
      patch: { price: 11 + (change % 90), stock: (change + 7) % 1_000, title: `Trail shoe no. ${change % 10_000}` },
      at: '2026-11-30T10:00:00.000Z',
    },
  };
};

/** Two changes of one item by an agent on a run, with the metadata that the product records: about 500 bytes each as JSON. Every contestant stores these. */
export const eventPair = (): EventPair =>
  Object.assign([patch(), patch()] as const, { metadata: { actor, correlationId, causationId, commandId: randomUUID(), runId, goalId } });

/** Bytes of one event: data and metadata as compact JSON. */
export const eventBytes = (): number => {
  const pair = eventPair();
  return Buffer.byteLength(JSON.stringify(pair[0].data)) + Buffer.byteLength(JSON.stringify(pair.metadata));
};

/** For a store that wants the writer to give each message an id. */
export const messageId = (): string => v7();
