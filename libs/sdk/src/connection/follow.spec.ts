import { afterEach, describe, expect, it } from '@jest/globals';
import { Harness } from '../harness';
import type { LogEvent } from '../log-event';
import { answers, hangsUp, lists, loopback, message, refuses, streams, type Handler, type Loopback } from '../testing';

const open: Loopback[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

const clientOf = async (script: readonly [Handler, ...Handler[]], streamIdleMs = 60_000) => {
  const server = await loopback(...script);
  open.push(server);
  const harness = new Harness({ url: server.url, key: 'hk_test', streamIdleMs, retry: { wait: () => Promise.resolve() } });
  return { server, harness };
};
const event = (position: string, type = 'ToolCallSucceeded', data: object = {}) => message(position, { position, type, data }, type);
const positions = async (events: AsyncIterable<LogEvent>, until: number, stop: AbortController): Promise<string[]> => {
  const seen: string[] = [];
  for await (const { position } of events) if (seen.push(position) === until) stop.abort();
  return seen;
};

describe('A followed stream', () => {
  it('goes on after the last event when it is cut, and hands each event on once', async () => {
    const { server, harness } = await clientOf([
      streams([event('4'), event('5')], 'cut'),
      hangsUp,
      streams([event('5'), event('6')], 'end'),
      streams([event('9')]),
    ]);
    const stop = new AbortController();
    expect(await positions(harness.audit.stream({ after: '0', signal: stop.signal, types: ['ToolCallSucceeded'] }), 4, stop)).toEqual([
      '4',
      '5',
      '6',
      '9',
    ]);
    expect(server.seen.map(({ headers }) => headers['last-event-id'])).toEqual(['0', '5', '5', '6']);
    expect(server.seen[0]?.path).toBe('/api/v1/audit/stream?type=ToolCallSucceeded');
  });

  it('starts after the position the caller names', async () => {
    const { server, harness } = await clientOf([streams([event('8')])]);
    const stop = new AbortController();
    await positions(harness.audit.stream({ after: '7', signal: stop.signal }), 1, stop);
    expect(server.seen[0]?.headers['last-event-id']).toBe('7');
  });

  it('loses nothing when it is cut before its first event', async () => {
    const { server, harness } = await clientOf([lists([], null, '41'), streams([], 'cut'), streams([event('42')])]);
    const stop = new AbortController();
    expect(await positions(harness.audit.stream({ signal: stop.signal }), 1, stop)).toEqual(['42']);
    expect(server.seen.slice(1).map(({ headers }) => headers['last-event-id'])).toEqual(['41', '41']);
  });

  it('is opened anew when nothing arrives for too long, however slow the consumer is', async () => {
    const { server, harness } = await clientOf([streams([event('1')]), streams([event('2')])], 40);
    const stop = new AbortController();
    expect(await positions(harness.audit.stream({ after: '0', signal: stop.signal }), 2, stop)).toEqual(['1', '2']);
    expect(server.seen).toHaveLength(2);
  });

  it('fails at once when the server refuses, also on a later connection', async () => {
    const { harness } = await clientOf([streams([event('1')], 'cut'), refuses(401, 'UNAUTHENTICATED')]);
    await expect(positions(harness.audit.stream({ after: '0' }), 9, new AbortController())).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
  });

  it('goes on after a failure of the server that may pass, and fails with one that will not', async () => {
    const problem = (status: number, code: string) => `event: problem\ndata: ${JSON.stringify({ status, code, detail: 'So it is.' })}\n\n`;
    const script = [
      streams([event('1'), problem(503, 'UNAVAILABLE')], 'end'),
      streams([event('2'), problem(403, 'FORBIDDEN')], 'end'),
    ] as const;
    const { server, harness } = await clientOf(script);
    const seen: string[] = [];
    const reading = async () => {
      for await (const { position } of harness.audit.stream({ after: '0' })) seen.push(position);
    };
    await expect(reading()).rejects.toMatchObject({ status: 403, code: 'FORBIDDEN', detail: 'So it is.' });
    expect(seen).toEqual(['1', '2']);
    expect(server.seen[1]?.headers['last-event-id']).toBe('1');
  });

  it('fails when the first connection cannot be made within the retries', async () => {
    const { server, harness } = await clientOf([hangsUp]);
    await expect(positions(harness.audit.stream({ after: '0' }), 1, new AbortController())).rejects.toMatchObject({ code: 'NETWORK' });
    expect(server.seen).toHaveLength(5);
  });

  it('goes on through an outage that lasts longer than the retries, once it was open', async () => {
    const outage = Array.from({ length: 12 }, () => hangsUp);
    const { harness } = await clientOf([streams([event('1')], 'cut'), ...outage, streams([event('2')])]);
    const stop = new AbortController();
    expect(await positions(harness.audit.stream({ after: '0', signal: stop.signal }), 2, stop)).toEqual(['1', '2']);
  });

  it('ends without an error when the caller stops it while it waits', async () => {
    const { server, harness } = await clientOf([streams([])]);
    const stop = new AbortController();
    const reading = positions(harness.audit.stream({ after: '0', signal: stop.signal }), 1, stop);
    await server.arrived(1);
    stop.abort();
    expect(await reading).toEqual([]);
  });

  it('closes its connection when the consumer leaves', async () => {
    const closed = Promise.withResolvers<void>();
    const { harness } = await clientOf([
      (response, request) => {
        response.once('close', () => closed.resolve());
        return streams([event('1')])(response, request);
      },
    ]);
    for await (const _event of harness.audit.stream({ after: '0' })) break;
    await closed.promise;
  });
});

describe('The stream of a run', () => {
  it('ends with the run', async () => {
    const { harness } = await clientOf([streams([event('1', 'RunStarted'), event('2', 'RunSucceeded'), event('3')])]);
    expect(await positions(harness.run('run_1').stream(), 9, new AbortController())).toEqual(['1', '2']);
  });

  it('ends when the server closes it and the run is over, although no event said so', async () => {
    const { server, harness } = await clientOf([
      streams([], 'end'),
      answers({ status: 'running' }),
      streams([], 'end'),
      answers({ status: 'failed' }),
    ]);
    expect(await positions(harness.run('run_1').stream({ after: '9' }), 9, new AbortController())).toEqual([]);
    expect(server.seen).toHaveLength(4);
  });
});

describe('The verification of the chain', () => {
  const verdict = { ok: false, position: '7', reason: 'changed_event', detail: 'The event at 7 is not the one that was hashed.' };

  it('reports progress, then its verdict, also when the chain is broken', async () => {
    const sent = ['event: progress\ndata: {"verified":"5","total":"9"}\n\n', `event: verdict\ndata: ${JSON.stringify(verdict)}\n\n`];
    const { harness } = await clientOf([streams(sent)]);
    const seen: unknown[] = [];
    for await (const step of harness.audit.verify()) seen.push(step);
    expect(seen).toEqual([
      { kind: 'progress', progress: { verified: '5', total: '9' } },
      { kind: 'verdict', verdict },
    ]);
  });

  it('is an error when it ends without a verdict', async () => {
    const { harness } = await clientOf([streams(['event: progress\ndata: {"verified":"5","total":"9"}\n\n'], 'end')]);
    const reading = async () => {
      for await (const _step of harness.audit.verify());
    };
    await expect(reading()).rejects.toMatchObject({ code: 'STREAM_CUT' });
  });
});
