import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { EventEmitter, on, once } from 'node:events';
import { Public } from './access';
import { Draining } from './draining';
import { ProblemException } from './problem';
import { LastEventId } from './parameters';
import { sse, type ServerSentEvent } from './sse';
import { KnownKeys, startHttp, type RunningHttp } from './testing';

/** What the probe's endless stream is told and does. */
const feed = new EventEmitter();
let produced = 0;

async function* endless(signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
  try {
    feed.emit('open');
    for await (const [event] of on(feed, 'event', { signal })) yield event as ServerSentEvent;
  } finally {
    feed.emit('closed');
  }
}

async function* flood(signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
  for (produced = 0; !signal.aborted; produced++) yield { data: 'x'.repeat(64 * 1024) };
  feed.emit('flood over');
}

@Public()
@Controller('probe')
class Probe {
  constructor(private readonly draining: Draining) {}

  @Get('three') three(@Res() reply: FastifyReply, @LastEventId() after = 0n) {
    return sse(reply, async function* () {
      for (const id of [1n, 2n, 3n]) if (id > after) yield { id: String(id), event: 'tick', data: { id, text: 'a\nb' } };
      yield { id: 'x\ny', event: 'a\r\ndata: forged', data: null };
    }, { signal: this.draining.signal });
  }
  @Get('endless') endless(@Res() reply: FastifyReply) { return sse(reply, endless, { signal: this.draining.signal, keepAliveMs: 20 }); }
  @Get('flood') flood(@Res() reply: FastifyReply) { return sse(reply, flood, { signal: this.draining.signal }); }
  @Get('broken') broken(@Res() reply: FastifyReply) {
    return sse(reply, async function* () {
      yield { data: 1 };
      throw new ProblemException(409, 'CONFLICT', 'It moved.');
    }, { signal: this.draining.signal });
  }
}

const reader = (answer: Response) => {
  const chunks = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let seen = '';
  return {
    until: async (text: string) => {
      while (!seen.includes(text)) {
        const { value, done } = await chunks.read();
        if (done) throw new Error(`The stream ended without ${text}: ${seen}`);
        seen += value;
      }
      return seen;
    },
    rest: async () => {
      for (let read = await chunks.read(); !read.done; read = await chunks.read()) seen += read.value;
      return seen;
    },
  };
};

describe('An event stream', () => {
  let http: RunningHttp;
  beforeEach(async () => {
    http = await startHttp({ controllers: [Probe] }, { authenticator: new KnownKeys({}) });
  });
  afterEach(() => http.close());

  it('sends id, event and one line of data, and lets nothing start another field', async () => {
    const answer = await http.request('/api/v1/probe/three');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'x-request-id': expect.any(String),
    });
    expect(await answer.text()).toBe(
      [1, 2, 3].map((id) => `id: ${id}\nevent: tick\ndata: {"id":"${id}","text":"a\\nb"}\n\n`).join('') + 'id: xy\nevent: adata: forged\ndata: null\n\n',
    );
  });

  it('goes on after Last-Event-ID, and refuses one that is no position', async () => {
    const text = await (await http.request('/api/v1/probe/three', { headers: { 'last-event-id': '2' } })).text();
    expect(text.match(/^id: .$/gm)).toEqual(['id: 3']);
    expect((await http.request('/api/v1/probe/three', { headers: { 'last-event-id': 'two' } })).status).toBe(422);
  });

  it('keeps the connection alive and tells its source when the client leaves', async () => {
    const leave = new AbortController();
    const opened = once(feed, 'open');
    const stream = reader(await http.request('/api/v1/probe/endless', { signal: leave.signal }));
    await opened;
    await stream.until(':\n\n');
    feed.emit('event', { data: 'hello' });
    await stream.until('data: "hello"\n\n');
    const closed = once(feed, 'closed');
    leave.abort();
    await closed;
  });

  it('ends when the server stops, so the server can stop', async () => {
    const opened = once(feed, 'open');
    const stream = reader(await http.request('/api/v1/probe/endless'));
    await opened;
    const closed = once(feed, 'closed');
    await Promise.all([http.close(), closed]);
    expect(await stream.rest()).not.toContain('event: problem');
  });

  it('takes no more from its source than the client takes', async () => {
    const leave = new AbortController();
    const over = once(feed, 'flood over');
    await http.request('/api/v1/probe/flood', { signal: leave.signal });
    let before = -1;
    while (before !== produced) {
      before = produced;
      await new Promise((turn) => setTimeout(turn, 50));
    }
    // The sockets of both sides hold a few megabytes; without backpressure the source would have run on.
    expect(produced).toBeLessThan(1_000);
    leave.abort();
    await over;
  });

  it('tells a failure in the stream and ends', async () => {
    const text = await (await http.request('/api/v1/probe/broken')).text();
    expect(text).toMatch(/^data: 1\n\nevent: problem\ndata: \{"type":"\/problems\/conflict".*\n\n$/);
  });
});
