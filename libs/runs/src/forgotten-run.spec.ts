import { describe, expect, it } from '@jest/globals';
import { Executor, InMemoryEventStore, States } from '@app/event-store';
import { ForgetfulPayloads } from '@app/event-store/testing';
import { Catalogue } from '@app/kernel';
import { context } from '@app/kernel/testing';
import { authorised, parked, started } from './run.examples';
import { runEvents, type RunEvent } from './run.events';
import { runPayloads, subjectOfRun } from './run-payloads.policy';
import { run } from './run.state';

const words = { arguments: { command: 'zebra' } };
const saying = (events: readonly RunEvent[]): RunEvent[] => events.map((event) => ('arguments' in event.data ? { ...event, data: { ...event.data, ...words } } : event) as RunEvent);
const failed = (callId: string, approvalId?: string): RunEvent => ({
  type: 'ToolCallFailed', data: { callId, reason: 'handler_failed', error: 'zebra', runtimeMs: 1, costUsd: 0, ...(approvalId !== undefined && { approvalId }) },
});
const [opened, sealed] = started('task');
const history: RunEvent[] = [
  { ...opened!, data: { ...opened!.data, task: { tool: 'shell', ...words } } } as RunEvent, sealed!,
  ...saying([authorised('c1'), authorised('c2')]), { type: 'ToolCallSucceeded', data: { callId: 'c1', result: 'zebra', runtimeMs: 1, costUsd: 0, artifactBytes: 0 } }, failed('c2'),
  ...saying(parked('c3', 'appr_1')), { type: 'ToolCallAnswered', data: { callId: 'c3', approvalId: 'appr_1', by: 'Ada', text: 'zebra' } },
  { type: 'RunForked', data: { forkOf: 'run_0', atCallId: 'c0', inherited: [], overrides: { model: 'zebra' } } },
  { type: 'RunFailed', data: { stopReason: 'tool_failed', reason: 'zebra' } },
];
const forgotten: RunEvent = { type: 'RunForgotten', data: { by: 'key_ada', goals: [], approvals: ['appr_1'], stagings: [], at: '2030-01-01T00:00:00.000Z' } };

describe('A run that was forgotten', () => {
  it('folds to the same state, warm or from a log that cannot be opened any more, and nothing of it is left in that state', async () => {
    const subjects = new ForgetfulPayloads();
    const store = new InMemoryEventStore({ catalogue: new Catalogue(runEvents), sealing: { payloads: runPayloads, subjects } });
    const warm = new States(store);
    const executor = new Executor(store, warm);
    const write = (events: readonly RunEvent[], commandId: string) => executor.execute({ run: { aggregate: run, id: 'run_1' } }, context({ commandId }), () => ({ ok: true, events: { run: events } }));
    await write(history, 'told');
    expect(JSON.stringify(warm.warm(run, 'run_1')!.state)).toContain('zebra');
    subjects.forget(subjectOfRun('run_1'));
    await write([forgotten], 'forgotten');
    const { state } = await new States(store).load(run, 'run_1');
    expect(warm.warm(run, 'run_1')!.state).toEqual(state);
    expect(JSON.stringify(state)).not.toContain('zebra');
    expect(state).toMatchObject({ status: 'failed', forgottenAt: '2030-01-01T00:00:00.000Z', task: { arguments: { forgotten: true } }, fork: { overrides: { forgotten: true } } });
  });
});
