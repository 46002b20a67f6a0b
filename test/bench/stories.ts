import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { v7 } from 'uuid';
import type { NewEvent, StreamWrite } from '@app/event-store';
import type { Context } from '@app/kernel';

export const SITES = Array.from({ length: 10 }, (_, n) => `site_bench${n}`);
const COLLECTION = 'products';

export const contextOf = (siteId: string): Context => ({
  actor: { kind: 'agent', id: 'key_bench', role: 'content-editor' },
  siteId,
  now: new Date(),
  correlationId: randomUUID(),
  causationId: randomUUID(),
  commandId: randomUUID(),
});

/** What a site has before its agents begin. */
export const siteOpening = (siteId: string): readonly StreamWrite[] => [
  stream(`governance-${siteId}`, [event('SiteCreated', { siteId, name: siteId })]),
  stream(`collection-${siteId}.${COLLECTION}`, [event('CollectionCreated', { siteId, name: COLLECTION })]),
];

/** Work as agents do it: a goal, its run with three tool calls, the item that they changed, and every fifth time somebody's approval. */
export const story = (siteId: string, number: number): readonly StreamWrite[] => {
  const ids = { goalId: id('goal'), runId: id('run') };
  const approvalId = number % 5 === 0 ? id('appr') : undefined;
  return [
    stream(`goal-${ids.goalId}`, [
      event('GoalCreated', { goalId: ids.goalId, title: `Bring product ${number} up to date` }),
      event('GoalStarted', { runId: ids.runId }),
      event('GoalSettled', {}),
    ]),
    stream(`run-${ids.runId}`, run(siteId, ids, approvalId)),
    stream(`item-${id('item')}`, item(siteId, number)),
    ...(approvalId === undefined ? [] : [stream(`approval-${approvalId}`, approval(ids, approvalId))]),
  ];
};

type Ids = { readonly goalId: string; readonly runId: string };

/** The two events that a run begins with. */
export const runOpening = (
  siteId: string,
  ids: Ids,
  more: { readonly agentRole?: string; readonly capabilities?: readonly string[] } = {},
): readonly NewEvent[] => {
  const { envelope } = sampleOf('EnvelopeSealed') as { envelope: { context: object } };
  return [
    event('RunStarted', { ...ids, ...(more.agentRole !== undefined && { agentRole: more.agentRole }) }),
    event('EnvelopeSealed', { envelope: { ...envelope, ...ids, ...more, context: { ...envelope.context, siteId } } }),
  ];
};

const run = (siteId: string, ids: Ids, approvalId: string | undefined): readonly NewEvent[] => {
  const safe = [id('call'), id('call'), id('call')].flatMap((callId) => [
    event('ToolCallAuthorised', { callId }, ['approvalId']),
    event('ToolCallSucceeded', { callId, result: { version: 2, changed: ['price', 'stock'] } }),
  ]);
  const parked = { callId: id('call'), approvalId };
  const governed = approvalId === undefined ? [] : ['ToolCallParked', 'RunParked', 'RunResumed'].map((type) => event(type, parked));
  return [...runOpening(siteId, ids), ...safe, ...governed, event('RunSucceeded', { result: { changed: 1 } })];
};

const item = (siteId: string, number: number): readonly NewEvent[] => {
  const data = {
    title: `Trail shoe no. ${number}`,
    description: 'A light shoe for rough ground, with a grippy sole.',
    price: 10,
    stock: 5,
  };
  return [
    event('ItemCreated', { siteId, collection: COLLECTION, data }),
    event('ItemPatched', { collection: COLLECTION, before: { price: 10 }, patch: { price: 12 } }),
    event('ItemPatched', { collection: COLLECTION, before: { stock: 5 }, patch: { stock: 40 } }),
  ];
};

const approval = (ids: Ids, approvalId: string): readonly NewEvent[] => [
  event('ApprovalRequested', { ...ids, approvalId }),
  event('ApprovalApproved', {}),
  event('ApprovedCallSucceeded', { callId: id('call') }),
];

const id = (prefix: string) => `${prefix}_${v7().replaceAll('-', '')}`;
const stream = (streamId: string, events: readonly NewEvent[]): StreamWrite => ({ streamId, expected: 'any', events });

/** An event of today's shape with these fields of its own. */
export const event = (type: string, own: Readonly<Record<string, unknown>>, without: readonly string[] = []): NewEvent => {
  const kept = Object.entries(sampleOf(type)).filter(([field]) => !without.includes(field));
  return { type, data: { ...Object.fromEntries(kept), ...own } };
};

const CORPUS = join(import.meta.dirname, '../corpus');
const samples = new Map<string, object>();

/** The corpus has a real sample of every event type in its newest version, so a story always has today's shape. */
const sampleOf = (type: string): object => {
  const known = samples.get(type);
  if (known) return known;
  const versions = readdirSync(CORPUS).map((file) => Number(new RegExp(`^${type}\\.v(\\d+)\\.json$`).exec(file)?.[1] ?? 0));
  const sample = JSON.parse(readFileSync(join(CORPUS, `${type}.v${Math.max(...versions)}.json`), 'utf8')) as object;
  samples.set(type, sample);
  return sample;
};
