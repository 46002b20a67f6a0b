import { describe, expect, it } from '@jest/globals';
import type { Recorded } from '@app/kernel';
import { MASK } from '@app/vault/contract';
import { MemoryVault } from '@app/vault/testing';
import type { RunEvent } from '@app/runs/contract';
import { destroyedBy, DESTROYING, keysOfCall, keysOfRun } from './destroyed-keys.process';
import { SealedArguments } from './sealed-arguments';

const ref = { siteId: 'site_a', runId: 'run_1', callId: 'call.1:x' };
const given = { user: 'ada', password: 'hunter2' };

describe('Exact arguments', () => {
  it('are kept only when there is something to hide', async () => {
    const vault = new MemoryVault();
    const exact = new SealedArguments(vault);
    expect(await exact.keep(ref, { user: 'ada', token: 'secret://x', note: MASK })).toBeUndefined();
    expect([...vault.keys.keys()]).toEqual([]);
    const kept = await exact.keep(ref, given);
    expect(kept).toEqual({ pepper: expect.any(String), sealed: expect.stringMatching(/^[0-9a-f]{16}~v1\./) });
    expect(kept!.sealed).not.toContain('hunter2');
    expect(await exact.keep(ref, given, false)).toEqual({ pepper: kept!.pepper });
    expect(await exact.recall(ref, kept!.sealed!)).toEqual({ ...kept, given });
  });

  it('are thrown away by the attempt that kept them and by no other', async () => {
    const vault = new MemoryVault();
    const exact = new SealedArguments(vault);
    const [first, second] = [(await exact.keep(ref, given))!, (await exact.keep(ref, given))!];
    await exact.forget(ref, second);
    expect(await exact.recall(ref, second.sealed!)).toBeUndefined();
    expect(await exact.recall(ref, first.sealed!)).toMatchObject({ given });
    await expect(exact.recall({ ...ref, callId: 'call.2' }, first.sealed!)).resolves.toBeUndefined();
    await vault.destroyBelow([keysOfCall('run_1', 'call.1:x')]);
    expect(await exact.recall(ref, first.sealed!)).toBeUndefined();
  });
});

describe('The keys of exact arguments', () => {
  const destroyed = (type: RunEvent['type'], data: unknown) => destroyedBy({ streamId: 'run-run_1', type, data } as Recorded<RunEvent>);

  it.each<[RunEvent['type'], unknown, string | undefined]>([
    ['ToolCallSucceeded', { callId: 'c' }, keysOfCall('run_1', 'c')],
    ['ToolCallFailed', { callId: 'c' }, keysOfCall('run_1', 'c')],
    ['ToolCallFailed', { callId: 'c', approvalId: 'appr_1' }, undefined],
    ['ToolCallDenied', { callId: 'c' }, keysOfCall('run_1', 'c')],
    ['IndeterminateResolved', { callId: 'c', answer: 'happened' }, keysOfCall('run_1', 'c')],
    ['IndeterminateResolved', { callId: 'c', answer: 'failed' }, keysOfCall('run_1', 'c')],
    ['IndeterminateResolved', { callId: 'c', answer: 'not_happened' }, undefined],
    ['RunSucceeded', {}, keysOfRun('run_1')],
    ['RunFailed', {}, keysOfRun('run_1')],
    ['RunCancelled', {}, keysOfRun('run_1')],
    ['ToolCallParked', { callId: 'c' }, undefined],
    ['ToolCallAuthorised', { callId: 'c' }, undefined],
  ])('after %s %j are destroyed: %s', (type, data, expected) => {
    expect(destroyed(type, data)).toBe(expected);
    if (expected !== undefined) expect(DESTROYING).toContain(type);
  });

  it('of one call are not those of another whose name begins the same', () => {
    expect(keysOfCall('run_1', 'ab').startsWith(keysOfCall('run_1', 'a'))).toBe(false);
    expect(keysOfRun('run_10').startsWith(keysOfRun('run_1'))).toBe(false);
  });
});
