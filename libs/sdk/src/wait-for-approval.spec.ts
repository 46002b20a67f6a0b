import { afterEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { Harness } from './harness';
import { loopback, message, type Loopback } from './testing';

/** Plays one approval of one run: the state that reads see, and a stream that the test writes to. */
class Stage {
  approval: Record<string, unknown> = { id: 'appr_1', callId: 'call_1', status: 'pending' };
  position = 10;
  readonly history: string[] = [];
  private readonly readers = new Set<ServerResponse>();
  private server!: Loopback;
  harness!: Harness;

  async open(): Promise<this> {
    this.server = await loopback((response, { path, headers }) => {
      if (path.endsWith('/stream')) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.flushHeaders();
        const after = Number(headers['last-event-id'] ?? '0');
        for (const text of this.history) if (Number(/^id: (\d+)/.exec(text)?.[1]) > after) response.write(text);
        this.readers.add(response);
        return;
      }
      const data = path.includes('/approvals/') ? this.approval : { runId: 'run_1', status: 'running', toolCalls: [] };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data, position: String(this.position) }));
    });
    this.harness = new Harness({ url: this.server.url, key: 'k', retry: { wait: () => Promise.resolve() } });
    return this;
  }

  append(type: string, data: object): void {
    const position = String(++this.position);
    const text = message(position, { position, type, data }, type);
    this.history.push(text);
    for (const reader of this.readers) reader.write(text);
  }

  cut(): void {
    for (const reader of this.readers) reader.socket?.destroy();
    this.readers.clear();
  }

  streaming = (): Promise<unknown> => this.server.arrived(2);
  reads = (): number => this.server.seen.filter(({ path }) => path.includes('/approvals/')).length;
  close = (): Promise<void> => this.server.close();
}

let stage: Stage | undefined;
afterEach(() => stage?.close());
const opened = async (): Promise<Stage> => (stage = await new Stage().open());
const wait = (on: Stage, signal?: AbortSignal) => on.harness.run('run_1').waitForApproval('appr_1', { signal });

describe('Waiting for an approval', () => {
  it('resolves with what the approved call answered', async () => {
    const on = await opened();
    const waiting = wait(on);
    await on.streaming();
    on.approval = { ...on.approval, status: 'approved', decidedBy: 'key_2' };
    on.append('RunResumed', { callId: 'call_1', approvalId: 'appr_1', decision: 'approved' });
    on.append('ToolCallSucceeded', { callId: 'call_1', result: { deleted: true } });
    expect(await waiting).toMatchObject({
      status: 'approved',
      decidedBy: 'key_2',
      call: { callId: 'call_1', status: 'executed', result: { deleted: true } },
    });
  });

  it.each([['rejected'], ['changes_requested']])('resolves when the answer is %s', async (decision) => {
    const on = await opened();
    const waiting = wait(on);
    await on.streaming();
    on.approval = { ...on.approval, status: 'rejected', decision, reason: 'Too broad' };
    on.append('RunResumed', { callId: 'call_1', approvalId: 'appr_1', decision });
    expect(await waiting).toMatchObject({ status: 'rejected', reason: 'Too broad' });
  });

  it('goes on waiting when the approved call failed, because the approval is open again', async () => {
    const on = await opened();
    const waiting = wait(on);
    await on.streaming();
    on.append('RunResumed', { callId: 'call_1', approvalId: 'appr_1', decision: 'approved' });
    on.append('ToolCallFailed', { callId: 'call_1', approvalId: 'appr_1', error: 'disk full' });
    on.append('RunParked', { callId: 'call_1', approvalId: 'appr_1' });
    on.approval = { ...on.approval, status: 'approved' };
    on.append('ToolCallSucceeded', { callId: 'call_1', result: 1 });
    expect(await waiting).toMatchObject({ call: { status: 'executed', result: 1 } });
  });

  it('resolves when the door refused the approved call after all', async () => {
    const on = await opened();
    const waiting = wait(on);
    await on.streaming();
    on.approval = { ...on.approval, status: 'approved' };
    on.append('ToolCallDenied', { callId: 'call_1', reason: 'frozen' });
    expect(await waiting).toMatchObject({ call: { status: 'denied', reason: 'frozen' } });
  });

  it('resolves when the run ends and takes the approval with it', async () => {
    const on = await opened();
    const waiting = wait(on);
    await on.streaming();
    on.approval = { ...on.approval, status: 'superseded' };
    on.append('RunCancelled', { stopReason: 'cancelled_by_user' });
    expect(await waiting).toMatchObject({ status: 'superseded' });
  });

  it('finds a decision that was made while nobody waited', async () => {
    const on = await opened();
    on.append('ToolCallSucceeded', { callId: 'call_0', result: 0 });
    on.append('ToolCallSucceeded', { callId: 'call_1', result: 1 });
    on.approval = { ...on.approval, status: 'approved' };
    expect(await wait(on)).toMatchObject({ status: 'approved', call: { result: 1 } });
  });

  it('[SDK-003] reads nothing while nothing happens, and nothing for the events of other calls', async () => {
    const on = await opened();
    const waiting = wait(on);
    await on.streaming();
    for (let call = 2; call < 200; call++) on.append('ToolCallSucceeded', { callId: `call_${call}`, result: {} });
    on.approval = { ...on.approval, status: 'approved' };
    on.append('ToolCallSucceeded', { callId: 'call_1', result: {} });
    await waiting;
    expect(on.reads()).toBe(2);
  });

  it('misses nothing when the connection is cut at the moment of the decision', async () => {
    const on = await opened();
    const waiting = wait(on);
    await on.streaming();
    on.cut();
    on.approval = { ...on.approval, status: 'approved' };
    on.append('ToolCallSucceeded', { callId: 'call_1', result: 'done' });
    expect(await waiting).toMatchObject({ call: { result: 'done' } });
  });

  it("rejects with the caller's reason when the caller stops waiting", async () => {
    const on = await opened();
    const stop = new AbortController();
    const waiting = wait(on, stop.signal);
    await on.streaming();
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});
