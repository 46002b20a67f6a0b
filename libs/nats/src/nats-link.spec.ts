import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { NatsLink } from './nats-link';

describe('The link to a broker that is not there', () => {
  it('says so once, without credentials, tries again, and holds nobody up', async () => {
    let attempts = 0;
    const nobody = createServer((socket) => {
      attempts++;
      socket.destroy();
      nobody.emit('attempt');
    }).listen(0, '127.0.0.1');
    await once(nobody, 'listening');
    const address = `127.0.0.1:${(nobody.address() as AddressInfo).port}`;
    const sentences: string[] = [];
    const link = new NatsLink({ url: `nats://someone:hush@${address}`, name: 'spec', onChange: (state, sentence) => sentences.push(`${state}: ${sentence}`) }).start();
    expect(link.current).toBeUndefined();
    while (attempts < 4) await once(nobody, 'attempt');
    expect(sentences).toEqual([expect.stringContaining(`unreachable: The message broker at ${address} cannot be reached`)]);
    expect(sentences[0]).not.toContain('hush');
    await expect(link.connected(AbortSignal.abort())).rejects.toThrow();
    const waiting = expect(link.connected()).rejects.toThrow('stopped');
    await link.stop();
    await waiting;
    await expect(link.connected()).rejects.toThrow('stopped');
    nobody.close();
  });
});
