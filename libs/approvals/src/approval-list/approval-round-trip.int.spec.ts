import { PostgresEventStore } from '@app/event-store';
import { Catalogue, type Recorded } from '@app/kernel';
import { context } from '@app/kernel/testing';
import { project } from '@app/projections';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { testDatabase, type TestDatabase } from '../../../../test/database';
import { APPROVAL_KINDS, approvalEvents, type ApprovalEvent } from '../approval.events';
import { approval, type ApprovalRequest } from '../approval.state';
import { ApprovalView } from './approval.view';
import { approvals } from './approvals.projection';

const text = fc.string({ unit: 'grapheme', maxLength: 30 }).filter((value) => value.isWellFormed() && !value.includes('\u0000'));
const json = fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.array(text, { maxLength: 3 }), fc.dictionary(text, text, { maxKeys: 3 })), { maxKeys: 5 })
  .map((value) => JSON.parse(JSON.stringify(value)) as ApprovalRequest['arguments']);
const instant = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }).map((date) => date.toISOString());
const or = <T>(value: fc.Arbitrary<T>) => fc.option(value);
const person = fc.record({ kind: fc.constantFrom('human', 'agent', 'service'), id: text });

const request: fc.Arbitrary<Omit<ApprovalRequest, 'approvalId'>> = fc.record({
  siteId: fc.constant('site_a'), kind: fc.constantFrom(...APPROVAL_KINDS), domain: fc.constantFrom('items', 'schema', 'tools'), subject: text, goalId: or(text), runId: or(text),
  callId: or(text), tool: or(text), arguments: json, actionDigest: text, capability: text, policy: text, agentRole: or(text), quorum: fc.integer({ min: 1, max: 20 }),
  humanOnly: fc.boolean(), autoCommitAt: or(instant), requestedBy: person, requestedAt: instant, expiresAt: instant,
});

describe('An approval that is stored', () => {
  let database: TestDatabase;
  let store: PostgresEventStore;
  beforeAll(async () => {
    database = await testDatabase();
    store = new PostgresEventStore({ connection: database, catalogue: new Catalogue(approvalEvents) });
    await store.start();
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  it('[APPR-001] [APPR-051] property C15: keeps every field when it is read again', async () => {
    let n = 0;
    await fc.assert(
      fc.asyncProperty(request, async (data) => {
        const approvalId = `appr_${n++}`;
        const event = { type: 'ApprovalRequested', data: { ...data, approvalId } } as const;
        const written = await store.append([{ streamId: `approval-${approvalId}`, expected: 'none', events: [event] }], [], context({ commandId: `cmd-${approvalId}` }));
        expect(written.ok).toBe(true);
        for await (const read of store.read(`approval-${approvalId}`)) {
          expect(read.data).toEqual(event.data);
          expect(approval.evolve(approval.initial, read as unknown as ApprovalEvent)).toMatchObject({ status: 'pending', request: event.data, expiresAt: data.expiresAt });
          const { requestedBy, ...fields } = data;
          const row = project(approvals, null, read as Recorded<ApprovalEvent>, approvalId);
          expect(row).toMatchObject({ id: approvalId, ...fields, requestedBy: requestedBy.id, requestedByKind: requestedBy.kind, status: 'pending' });
          expect(ApprovalView.safeParse(row).success).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
    const wrong = { type: 'ApprovalRequested', data: { kind: 'gossip' } } as never;
    expect((await store.append([{ streamId: 'approval-x', expected: 'none', events: [wrong] }], [], context())).ok).toBe(false);
    expect(ApprovalView.shape.kind.options).toEqual(['plan', 'tool_call', 'artifact', 'schema_diff', 'veto', 'promotion']);
  });

  it('[APPR-002] is pending, approved, rejected, expired or superseded', () => {
    expect(ApprovalView.shape.status.options).toEqual(['pending', 'approved', 'rejected', 'expired', 'superseded']);
  });
});
