import type { ReferenceTexts } from '@app/http';
import { components } from './components';
import { AT, DIGEST, EVENT_ID, id } from './ids';

/** One story for every example: an agent called tidy-bot keeps the catalogue of a tea shop in order, and Ada watches it. */
export const values: ReferenceTexts['values'] = {
  components,
  fields: {
    position: '4711', nextCursor: null, version: 3, schemaVersion: 1, governanceVersion: 12, siteId: 'site_demo',
    goalId: id('goal'), runId: id('run'), callId: 'rename-teapot', atCallId: 'rename-teapot', approvalId: id('appr'), agentApprovalId: id('appr'), stagingId: id('stg'), freezeId: EVENT_ID, effectiveAt: '4711',
    constitutionId: id('con'), intentId: id('int'), artifactId: id('art'), itemId: id('item'), fileId: id('desk'), userId: id('usr'), reviewerRunId: id('run'), flowId: id('flow'),
    parentGoalId: null, streamId: `run-${id('run')}`, subjectId: id('appr'), principalId: id('key'), causeId: null, evaluatorId: 'title', jobId: EVENT_ID, leaseId: id('lease'), retryOf: id('run'), forkOf: id('run'),
    goalStatus: 'running', runStatus: 'running', agentName: 'tidy-bot', agentRole: 'Writer', owner: id('key'), by: id('key'), model: null,
    title: 'Tidy the shelf', name: 'products', description: 'Keeps the catalogue in order', reason: null, detail: 'The title of a teapot was lost', note: null, enabled: true,
    collection: 'products', field: 'title', path: '/title', pointer: '/data/title', tool: 'updateItem', capability: 'items:update', capabilities: ['items:read', 'items:update'], requiredCapabilities: ['items:update'], roles: [],
    arguments: { collection: 'products', id: id('item'), data: { title: 'Teapot' } }, data: { sku: 'T-1', title: 'Teapot' }, result: { id: id('item'), version: 4 }, patch: { title: 'Teapot' }, before: 'teapot', after: 'Teapot',
    autonomy: 3, level: 3, confidence: 0.9, rate: 0.95, ratio: 0.5, approveRate: 0.95, priority: 0, costUsd: 0, quorum: 1, capLevel: null, type: 'ToolCallSucceeded', domain: 'items', rule: null, policy: 'dangerous_tool',
    email: 'ada@shop.example', url: 'https://hooks.shop.example/harness', deepLink: `/studio#/approvals/${id('appr')}`, folder: 'shop', secret: null,
    stopReason: null, endedAt: null, revokedAt: null, decidedAt: null, decidedBy: null, decidedByKind: null, resolvedAt: null, resolvedBy: null, liftedAt: null, liftedBy: null, settledAt: null, settledBy: null,
    archivedAt: null, replacedBy: null, lastError: null, error: null, worker: null, deadline: null, acceptance: null, autonomyCap: null, driftFingerprint: null, assignedTo: null, expiresAt: AT, outcome: null,
    answers: [], votes: [], agentReviews: [], warnings: [], findings: [], faults: [], dropped: [], kept: [], lifted: [], withheld: [], inFlight: [], differences: [], shadow: [], sources: [], quietHours: null, digestMinutes: null,
    maintenanceWindow: null, tz: 'Europe/Berlin', schedule: '0 3 * * *', token: 'eyJhbGciOiJFZERTQSJ9.eyJhdWQiOiJydW4ifQ.bm8gc2lnbmF0dXJl', at: AT, from: '1', target: 'shop', signature: 'bm8gc2lnbmF0dXJlIG9mIGEgcmVhbCBsb2c=',
    chain: DIGEST, leaf: DIGEST, root: DIGEST, previous: DIGEST, batch: '4700', first: '4700', last: '4711', hash: DIGEST, consumer: 'notifications', queue: 'runs', text: 'tidy-bot asks to delete a product', content: 'Shelves are blue',
  },
  endings: { At: AT, AsOf: '4711', Until: AT, Hash: DIGEST, Digest: DIGEST, Ms: 60_000, Id: EVENT_ID, By: id('key'), ByKind: 'agent' },
};
