import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { NatsLink, type NatsLinkOptions } from './nats-link';
import { fakeBroker, type FakeBroker } from './testing/fake-broker';

const PROMPT_MS = 1_000;

describe('The link to a broker', () => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });
  const broker = async (): Promise<FakeBroker> => {
    const made = await fakeBroker();
    ends.push(() => made.close());
    return made;
  };
  const linkTo = ({ address }: FakeBroker, options: Partial<NatsLinkOptions> = {}) => {
    const link = new NatsLink({ url: `nats://someone:hush@${address}`, name: 'spec', ...options }).start();
    ends.push(() => link.stop());
    return link;
  };
  const stopPromptly = async (link: NatsLink) => {
    const began = performance.now();
    await link.stop();
    expect(performance.now() - began).toBeLessThan(PROMPT_MS);
  };

  it('that is not there says so once, without credentials, tries again, and holds nobody up', async () => {
    const nobody = await broker();
    nobody.manner = 'refuses';
    const sentences: string[] = [];
    const link = linkTo(nobody, { onChange: (state, sentence) => sentences.push(`${state}: ${sentence}`) });
    expect(link.current).toBeUndefined();
    while (nobody.attempts < 4) await once(nobody.events, 'attempt');
    expect(sentences).toEqual([expect.stringContaining(`unreachable: The message broker at ${nobody.address} cannot be reached`)]);
    expect(sentences[0]).not.toContain('hush');
    await expect(link.connected(AbortSignal.abort())).rejects.toThrow();
    const waiting = expect(link.connected()).rejects.toThrow('stopped');
    await link.stop();
    await waiting;
    await expect(link.connected()).rejects.toThrow('stopped');
  });

  it('reaches whoever has waited since before the first attempt failed', async () => {
    const late = await broker();
    late.manner = 'refuses';
    const link = linkTo(late);
    const waiting = link.connected();
    while (late.attempts < 3) await once(late.events, 'attempt');
    late.manner = 'answers';
    expect((await waiting).connection).toBe(link.current);
  });

  it('reaches whoever waits while it is lost a second time on its way back', async () => {
    const shaky = await broker();
    const link = linkTo(shaky);
    const { lost } = await link.connected();
    // It greets, and is gone before it has answered: the library reports a loss for each of these.
    shaky.manner = 'greets';
    shaky.drop();
    if (!lost.aborted) await once(lost, 'abort');
    const waiting = link.connected();
    const before = shaky.attempts;
    while (shaky.attempts < before + 2) await once(shaky.events, 'attempt');
    shaky.manner = 'answers';
    expect((await waiting).lost.aborted).toBe(false);
  }, 20_000);

  it('that answers no more is given up within seconds, and made anew', async () => {
    const mute = await broker();
    const link = linkTo(mute, { pingEveryMs: 50 });
    const { lost } = await link.connected();
    mute.manner = 'keeps silent';
    await once(lost, 'abort');
    expect(link.current).toBeUndefined();
    const waiting = link.connected();
    mute.manner = 'answers';
    expect((await waiting).lost.aborted).toBe(false);
  }, 20_000);

  it('stops at once, whatever the broker does, and keeps nobody waiting', async () => {
    const [mute, gone, there] = [await broker(), await broker(), await broker()];
    mute.manner = 'keeps silent';
    const opening = linkTo(mute);
    await once(mute.events, 'attempt');
    const waiting = expect(opening.connected()).rejects.toThrow('stopped');
    await stopPromptly(opening);
    await waiting;
    const lost = linkTo(gone);
    const up = await lost.connected();
    gone.manner = 'keeps silent';
    gone.drop();
    if (!up.lost.aborted) await once(up.lost, 'abort');
    await stopPromptly(lost);
    await expect(lost.connected()).rejects.toThrow('stopped');
    const connected = linkTo(there);
    await connected.connected();
    there.manner = 'keeps silent';
    await stopPromptly(connected);
    await expect(connected.connected()).rejects.toThrow('stopped');
  });
});
