import { randomBytes, randomUUID } from 'node:crypto';
import type { NewEvent, StreamWrite } from '@app/event-store';
import type { Context } from '@app/kernel';

/** Work as agents do it: a goal, its run with some tool calls, the item that they changed, and every fifth time somebody's approval. */
export const SITES = Array.from({ length: 10 }, (_, n) => `site_bench${n}`);
const AT = '2026-11-30T10:00:00.000Z';
const COLLECTION = 'products';

const id = (prefix: string) => `${prefix}_${randomBytes(16).toString('hex')}`;
const hash = () => randomBytes(32).toString('hex');
const person = { kind: 'human', id: id('key') } as const;
const agent = { kind: 'agent', id: id('key'), role: 'content-editor' } as const;
const stream = (streamId: string, events: readonly NewEvent[]): StreamWrite => ({ streamId, expected: 'any', events });

export const contextOf = (siteId: string): Context => ({
  actor: agent,
  siteId,
  now: new Date(),
  correlationId: randomUUID(),
  causationId: randomUUID(),
  commandId: randomUUID(),
});

/** What a site has before its agents begin. */
export const siteOpening = (siteId: string): readonly StreamWrite[] => [
  stream(`governance-${siteId}`, [{ type: 'SiteCreated', data: { siteId, name: siteId } }]),
  stream(`collection-${siteId}.${COLLECTION}`, [{ type: 'CollectionCreated', data: { siteId, name: COLLECTION, fields: FIELDS, at: AT } }]),
];
const FIELDS = ['title', 'description', 'price', 'stock'].map((name, n) => ({ name, type: n < 2 ? 'text' : 'number', required: n === 0 }));

export const story = (siteId: string, number: number): readonly StreamWrite[] => {
  const [goalId, runId, itemId] = [id('goal'), id('run'), id('item')];
  const approval = number % 5 === 0 ? id('appr') : undefined;
  return [
    stream(`goal-${goalId}`, [
      { type: 'GoalCreated', data: { ...GOAL, goalId, title: `Bring product ${number} up to date` } },
      { type: 'GoalStarted', data: { runId } },
      { type: 'GoalSettled', data: { status: 'completed' } },
    ]),
    stream(`run-${runId}`, runEvents(siteId, { goalId, runId, itemId, approval })),
    stream(`item-${itemId}`, itemEvents(siteId, number)),
    ...(approval === undefined ? [] : [stream(`approval-${approval}`, approvalEvents({ goalId, runId, itemId, approval }))]),
  ];
};

const GOAL = {
  origin: 'user',
  agentName: 'catalogue-editor',
  agentRole: 'content-editor',
  parentGoalId: null,
  intentId: null,
  driftFingerprint: null,
  autonomyCap: null,
  priority: 100,
  deadline: null,
  owner: person.id,
  acceptance: 'Price and stock match the supplier list',
};

type Ids = { readonly goalId: string; readonly runId: string; readonly itemId: string; readonly approval: string | undefined };

const asked = (itemId: string, callId: string) => ({
  callId,
  tool: 'updateItem',
  arguments: { collection: COLLECTION, id: itemId, patch: { price: 12, stock: 40 } },
  argumentsHash: hash(),
  actionDigest: hash(),
  governanceVersion: 9,
  capability: 'items:write',
  autonomy: 2,
  budgetBefore: { toolCalls: 1, runtimeMs: 12, costUsd: 0.01, artifactBytes: 0 },
});

const runEvents = (siteId: string, { goalId, runId, itemId, approval }: Ids): readonly NewEvent[] => {
  const calls = [id('call'), id('call'), id('call')];
  const safe = calls.flatMap((callId): NewEvent[] => [
    { type: 'ToolCallAuthorised', data: { ...asked(itemId, callId), timeoutMs: 30_000, reservedCostUsd: 0.01, artifact: false } },
    { type: 'ToolCallSucceeded', data: { callId, result: { id: itemId, version: 2 }, runtimeMs: 3.2, costUsd: 0.01, artifactBytes: 0 } },
  ]);
  const parked = id('call');
  const governed: NewEvent[] =
    approval === undefined
      ? []
      : [
          { type: 'ToolCallParked', data: { ...asked(itemId, parked), approvalId: approval } },
          { type: 'RunParked', data: { callId: parked, approvalId: approval } },
          { type: 'RunResumed', data: { callId: parked, approvalId: approval, decision: 'approved' } },
        ];
  return [
    { type: 'RunStarted', data: { runId, goalId, agentName: 'catalogue-editor', agentRole: 'content-editor', kind: 'external' } },
    { type: 'EnvelopeSealed', data: { envelope: envelope(siteId, goalId, runId) } },
    ...safe,
    ...governed,
    { type: 'RunSucceeded', data: { stopReason: 'completed', result: { changed: 1 } } },
  ];
};

const envelope = (siteId: string, goalId: string, runId: string) => ({
  goalId,
  runId,
  agentName: 'catalogue-editor',
  agentRole: 'content-editor',
  context: { siteId, collections: [COLLECTION], policySnapshotHash: hash() },
  budget: { maxToolCalls: 20, maxCostUsd: 2, timeoutMs: 30_000, maxArtifactBytes: 524_288 },
  risk: 'safe',
  approvalPolicy: 'none',
  artifacts: [],
  capabilities: ['items:read', 'items:write'],
  principalId: agent.id,
});

const itemEvents = (siteId: string, number: number): readonly NewEvent[] => {
  const data = {
    title: `Trail shoe no. ${number}`,
    description: 'A light shoe for rough ground, with a firm heel and a grippy sole.',
    price: 10,
    stock: 5,
  };
  return [
    { type: 'ItemCreated', data: { siteId, collection: COLLECTION, data, at: AT } },
    { type: 'ItemPatched', data: { collection: COLLECTION, before: { price: 10 }, patch: { price: 12 }, at: AT } },
    { type: 'ItemPatched', data: { collection: COLLECTION, before: { stock: 5 }, patch: { stock: 40 }, at: AT } },
  ];
};

const approvalEvents = ({ goalId, runId, itemId, approval }: Ids): readonly NewEvent[] => {
  const { capability, callId, tool, arguments: input, actionDigest } = asked(itemId, id('call'));
  return [
    {
      type: 'ApprovalRequested',
      data: {
        approvalId: approval,
        kind: 'tool_call',
        domain: 'items',
        goalId,
        runId,
        callId,
        tool,
        arguments: input,
        actionDigest,
        capability,
        policy: 'write-needs-review',
        requestedBy: agent,
        requestedAt: AT,
        expiresAt: AT,
      },
    },
    { type: 'ApprovalApproved', data: { by: person, decidedAt: AT, channel: 'api', actionDigest } },
    { type: 'ApprovedCallSucceeded', data: { callId } },
  ];
};
