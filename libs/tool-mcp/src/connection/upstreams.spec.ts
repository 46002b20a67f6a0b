import { describe, expect, it } from '@jest/globals';
import { rawServer, rawTool } from '../testing';
import { failure, never } from './connections.examples';
import { Upstreams } from './upstreams';

const secrets = { resolve: () => Promise.reject(new Error('There are none')) };

describe('The upstream servers of a process', () => {
  it('have one connection each, for each site, until they are reached in another way', async () => {
    const server = await rawServer([rawTool('echo')]);
    const upstreams = new Upstreams({ secrets, stdio: false });
    const at = (siteId: string, path = '', allowHosts = ['127.0.0.1']) => upstreams.at({ siteId, server: 'docs', transport: { type: 'http', url: `${server.url}${path}` }, allowHosts });
    const first = at('site_a');
    expect((await first.list(never)).entries).toHaveLength(1);
    expect(at('site_a')).toBe(first);
    expect(at('site_b')).not.toBe(first);
    const moved = at('site_a', '?v=2');
    expect(moved).not.toBe(first);
    expect(await failure(first.list(never))).toMatch(/^UPSTREAM_UNREACHABLE: /);
    expect(await failure(moved.list(never))).toBe('no failure');
    expect(await failure(at('site_a', '?v=2', []).list(never))).toMatch(/^ADDRESS_REFUSED: /);
    await upstreams.close();
    expect(await failure(moved.list(never))).toMatch(/^UPSTREAM_UNREACHABLE: /);
    await server.close();
  });
});
