import { describe, expect, it } from '@jest/globals';
import { isCallToolResult } from '@modelcontextprotocol/server';
import type { ToolCallAnswer } from '@app/tool-calls/contract';
import { callResult, refusedResult } from './call-result.view';

const answer = (more: Partial<ToolCallAnswer> & Pick<ToolCallAnswer, 'status'>): ToolCallAnswer => ({ callId: 'call_1', governanceVersion: 7, ...more });

describe('The result of a call', () => {
  it.each<[Partial<ToolCallAnswer> & Pick<ToolCallAnswer, 'status'>, boolean, RegExp]>([
    [{ status: 'executed', result: { id: 1 } }, false, /^{"id":1}$/],
    [{ status: 'executed' }, false, /^null$/],
    [{ status: 'executed', result: 'words' }, false, /^words$/],
    [{ status: 'pending_approval', approvalId: 'appr_1' }, false, /appr_1/],
    [{ status: 'pending_approval', approvalId: 'appr_1', reason: 'The disk is full' }, false, /failed: The disk is full/],
    [{ status: 'staged', stagingId: 'stg_1', autoCommitAt: '2030-01-01T00:00:00Z' }, false, /stg_1.*2030/],
    [{ status: 'deferred', reason: 'backpressure', rule: 'load_guard', retryAfterMs: 900 }, true, /backpressure \(rule load_guard\).*900/],
    [{ status: 'denied', reason: 'capability_missing', rule: 'capability', facts: { tool: 'x', missing: ['items:read'] } }, true, /capability_missing.*items:read/],
    [{ status: 'failed', reason: 'Boom' }, true, /Boom/],
    [{ status: 'indeterminate', rule: 'worker_lost', reason: 'Lost' }, true, /Lost.*call_1/],
    [{ status: 'indeterminate', rule: 'client_executes', reason: 'Do it' }, false, /Do it.*call_1/],
  ])('%j is an error: %s', (given, isError, says) => {
    const result = callResult(answer(given));
    expect([result.isError ?? false, result.content[0]!.text]).toEqual([isError, expect.stringMatching(says)]);
    expect(result.structuredContent).toMatchObject(answer(given));
    expect(isCallToolResult(result)).toBe(true);
  });

  it('passes on what is in the form of the protocol, and nothing that only looks like it', () => {
    const content = [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }, { type: 'resource_link', uri: 'x://y', name: 'y' }];
    expect(callResult(answer({ status: 'executed', result: { content } })).content).toEqual(content);
    for (const result of [{ content: [] }, { content: [{ type: 'picture' }] }, { content: [{ type: 'text' }] }, { content: 'text' }]) expect(callResult(answer({ status: 'executed', result })).content).toEqual([{ type: 'text', text: JSON.stringify(result) }]);
  });

  it('of what never became a call says so with the code of REST', () => {
    expect(refusedResult({ kind: 'frozen', code: 'FROZEN', detail: 'Later.', facts: { scope: 'site' } })).toEqual({
      content: [{ type: 'text', text: 'FROZEN: Later.' }], structuredContent: { status: 'refused', code: 'FROZEN', reason: 'Later.', facts: { scope: 'site' } }, isError: true,
    });
  });
});
