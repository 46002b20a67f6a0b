import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Engine } from '../engine';
import { SocketServer } from './socket-server';

const answering = (data: object, more: object = {}) => ({ responses: { 200: { content: { 'application/json': { schema: { type: 'object', properties: { data, position: {}, ...more } } } } } } });
const list = answering({ type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } }, { nextCursor: {} });

describe('Connections of subscribers', () => {
  let http: Server;
  let sockets: SocketServer;
  let url: string;

  beforeAll(async () => {
    const engine = new Engine({
      server: {} as never, store: {} as never, reads: {} as never, stopping: new AbortController().signal,
      document: { paths: { '/events': { get: list }, '/goals': { post: answering({ type: 'object', properties: { id: { type: 'string' } } }) } } },
      design: { mutations: { createGoal: 'POST /goals' }, records: [], pieces: [], live: [], eventsRoute: '/events', groups: [] },
    });
    const admit = () => Promise.resolve({ siteId: 'site_a' });
    sockets = await SocketServer.open({ engine, guard: { admit } as never, initMs: 400, closeMs: 100 });
    http = createServer().on('upgrade', (request, socket, head) => sockets.take(request, socket, head));
    await once(http.listen(0, '127.0.0.1'), 'listening');
    url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}/graphql`;
  });
  afterAll(async () => {
    await sockets.close();
    http.close();
  });

  const opened = async () => {
    const socket = new WebSocket(url, 'graphql-transport-ws');
    await new Promise<void>((resolve) => socket.addEventListener('open', () => resolve(), { once: true }));
    return { socket, ended: new Promise<void>((resolve) => socket.addEventListener('close', () => resolve(), { once: true })) };
  };

  /** A connection whose client reads and answers nothing; gives its end. */
  const unanswering = async () => {
    const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-protocol': 'graphql-transport-ws' };
    const asked = request(url.replace('ws:', 'http:'), { headers }).end();
    const [, socket] = (await once(asked, 'upgrade')) as [unknown, Socket];
    socket.on('error', () => undefined).resume();
    return { ended: once(socket, 'close') };
  };

  it('end when they do not say in time whose they are', async () => {
    const from = performance.now();
    await (await opened()).ended;
    expect(performance.now() - from).toBeGreaterThan(350);
  });

  it('stay when they do, until the server ends them', async () => {
    const { socket, ended } = await opened();
    const said = new Promise<unknown>((resolve) => socket.addEventListener('message', ({ data }) => resolve(JSON.parse(String(data))), { once: true }));
    socket.send(JSON.stringify({ type: 'connection_init', payload: { Authorization: 'Bearer hk_ada' } }));
    expect(await said).toEqual({ type: 'connection_ack' });
    // Longer than a silent one would have had.
    await (await opened()).ended;
    expect(socket.readyState).toBe(WebSocket.OPEN);
    const deaf = await unanswering();
    const from = performance.now();
    await sockets.close();
    await Promise.all([ended, deaf.ended]);
    expect(performance.now() - from).toBeLessThan(5_000);
  });
});
