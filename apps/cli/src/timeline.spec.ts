import { describe, expect, it } from '@jest/globals';
import type { LogEvent } from '@app/sdk';
import { timeline } from './timeline';

const event = (position: number, type: string, ms: number, data: Record<string, unknown>): LogEvent => ({
  position: String(position),
  streamId: 'run-run_1',
  version: position,
  eventId: `e${position}`,
  type,
  occurredAt: new Date(Date.UTC(2026, 10, 30) + ms).toISOString(),
  actor: { kind: 'agent', id: 'key_1' },
  data,
});

describe('A timeline', () => {
  it('has one row per event, each with time, position, type, tool, target and outcome', () => {
    const args = { collection: 'products', id: 'item_9' };
    const rows = timeline([
      event(7, 'RunStarted', 0, { agentName: 'importer' }),
      event(8, 'ToolCallAuthorised', 12, {
        callId: 'c1',
        tool: 'createItem',
        arguments: { collection: 'products', data: { sku: 'HT-1', title: 'Hammer' } },
        autonomy: 2,
      }),
      event(9, 'ToolCallSucceeded', 15, { callId: 'c1', runtimeMs: 2.6 }),
      event(10, 'ToolCallParked', 20, { callId: 'c2', tool: 'deleteItem', arguments: args, approvalId: 'appr_1' }),
      event(11, 'RunResumed', 1_500, { callId: 'c2', approvalId: 'appr_1', decision: 'approved' }),
      event(12, 'ToolCallAuthorised', 1_501, { callId: 'c2', tool: 'deleteItem', arguments: args, approvalId: 'appr_1' }),
      event(13, 'ToolCallDenied', 1_600, { callId: 'c3', tool: 'createField', reason: 'capability_missing' }),
      event(14, 'RunSucceeded', 61_000, { stopReason: 'completed' }),
    ]);
    expect(rows).toEqual([
      ['+  0.000 s', '#7', 'RunStarted', undefined, '', 'importer'],
      ['+  0.012 s', '#8', 'ToolCallAuthorised', 'createItem', 'products HT-1', 'L2'],
      ['+  0.015 s', '#9', 'ToolCallSucceeded', 'createItem', 'products HT-1', 'executed 3 ms'],
      ['+  0.020 s', '#10', 'ToolCallParked', 'deleteItem', 'products item_9', 'waits for appr_1'],
      ['+  1.500 s', '#11', 'RunResumed', 'deleteItem', 'products item_9', 'approved'],
      ['+  1.501 s', '#12', 'ToolCallAuthorised', 'deleteItem', 'products item_9', 'by appr_1'],
      ['+  1.600 s', '#13', 'ToolCallDenied', 'createField', '', 'capability_missing'],
      ['+ 61.000 s', '#14', 'RunSucceeded', undefined, '', 'completed'],
    ]);
  });

  it('of nothing is empty', () => expect(timeline([])).toEqual([]));
});
