import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { InMemoryEventStore } from '@app/event-store';
import { OutboundHttp } from '@app/outbound';
import { catalogue, processOn, SITE, siteWith } from '../testing/intent-world';
import { OutboundLinks } from './outbound-links';

describe('A link to the outside', () => {
  let web: Server;
  let host: string;
  const asked: string[] = [];
  beforeAll(async () => {
    web = createServer(({ method, url }, reply) => {
      asked.push(`${method} ${url}`);
      const [, status = '200', onlyGet] = /^\/(\d+)(get)?/.exec(url ?? '') ?? [];
      reply.writeHead(onlyGet !== undefined && method === 'GET' ? 200 : Number(status)).end();
    });
    await new Promise<void>((listening) => web.listen(0, '127.0.0.1', listening));
    host = `127.0.0.1:${(web.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((closed) => web.close(closed)));

  const links = async (...allowHosts: string[]) => {
    const store = new InMemoryEventStore({ catalogue });
    await siteWith(store, []);
    const { executor, governed } = processOn(store, { minute: 0 });
    await governed({ type: 'SettingsChanged', data: { changes: { outbound: { allowHosts } } } });
    const checker = new OutboundLinks(new OutboundHttp(), executor);
    return (url: string) => checker.isReachable({ url, siteId: SITE, signal: AbortSignal.timeout(5_000) });
  };

  it('is broken when there is nothing, or nobody', async () => {
    const isReachable = await links('127.0.0.1');
    for (const status of [200, 204, 401, 403, 429, 500, 503]) expect([status, await isReachable(`http://${host}/${status}`)]).toEqual([status, true]);
    for (const status of [404, 410]) expect([status, await isReachable(`http://${host}/${status}`)]).toEqual([status, false]);
    expect(await isReachable('http://127.0.0.1:1/')).toBe(false);
  });

  it('is asked for a second time, with GET, where HEAD is not understood', async () => {
    const isReachable = await links('127.0.0.1');
    for (const path of ['405get', '404get', '501get']) expect([path, await isReachable(`http://${host}/${path}`)]).toEqual([path, true]);
    expect(asked.filter((each) => each.endsWith('/405get'))).toEqual(['HEAD /405get', 'GET /405get']);
  });

  it('that may not be reached is not asked, and counts as sound', async () => {
    const before = asked.length;
    const isReachable = await links();
    expect([await isReachable(`http://${host}/404`), await isReachable('http://169.254.169.254/latest'), asked.length]).toEqual([true, true, before]);
  });
});
