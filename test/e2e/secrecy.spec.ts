import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fs from 'node:fs';
import fc from 'fast-check';
import { eventually } from './eventually';
import { everyText } from './every-text';
import { operations, SEEN, type Play } from './planting';
import { SecretSearch, secrets, type Secrets } from './planted-secrets';
import { secretServer, type SecretServer } from './secret-server';

describe('Everything that a server tells or keeps', () => {
  const search = new SecretSearch();
  const printed: string[] = [];
  let one: SecretServer;
  let play: Play;

  beforeAll(async () => {
    const write = fs.write.bind(fs) as (...given: readonly unknown[]) => void;
    jest.spyOn(fs, 'write').mockImplementation(((fd: number, said: unknown, ...rest: readonly unknown[]) => {
      if (fd === 1 || fd === 2) printed.push(String(said));
      // What was heard need not be printed as well: it is thousands of lines.
      write(fd, fd === 1 && String(said).startsWith('{') ? '' : said, ...rest);
    }) as never);
    one = await secretServer(search);
    play = await operations(one, search);
  });
  afterAll(async () => {
    await one.close();
    jest.restoreAllMocks();
  });

  it('[PRIV-008] [L13] holds no planted secret, whatever is done with it: no event, log line, metric, NATS message or answer, and no row, file or delivery', async () => {
    let searched = 0n;
    const names = Object.keys(play.moves);
    // What happened before stays: all moves are one history of one server. Each is made in its first three ways, and then as it comes.
    const each = names.flatMap((what) => fc.sample(secrets, 3).map((planted, mode): [string, Secrets, number] => [what, planted, mode]));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), secrets, fc.nat({ max: 11 }), async (what, planted, mode) => {
        await play.moves[what]!(planted, mode);
        const { stored, opened, head } = await one.eventsBehind(searched);
        searched = head;
        const told = { answers: one.answers.splice(0), events: stored, opened, lines: [printed.splice(0).join('')] };
        for (const [where, texts] of Object.entries(told)) expect([where, search.in(texts)]).toEqual([where, []]);
      }),
      { numRuns: 100, examples: each, endOnFailure: true },
    );
    expect([...play.seen].toSorted()).toEqual(expect.arrayContaining([...SEEN]));
    // They were really there: tools were sent them.
    expect(search.in(one.outside.received.map(({ text, headers, url }) => JSON.stringify([text, headers, url]))).length).toBeGreaterThan(25);

    await one.untilToldAll();
    const swept = {
      ...(await one.everywhere()),
      rows: [await everyText(one.server.pool)], messages: one.messages, deliveries: one.receiver.received.map(({ text, headers }) => JSON.stringify([text, headers])), lines: [printed.join('')],
    };
    for (const [where, texts] of Object.entries(swept)) expect([where, texts.length > 0, search.in(texts)]).toEqual([where, true, []]);
    expect(await one.verdicts()).toEqual(['ok', 'ok']);
  }, 60_000);

  it('is really searched: what is planted where nobody hides it is found on every surface, in every writing', async () => {
    fc.assert(fc.property(secrets, fc.string(), fc.nat({ max: 1_000 }), ({ phrase, word, header }, around, cut) => {
      for (const secret of [phrase, word, header]) {
        const text = around + secret + around;
        const writings = [text, encodeURIComponent(secret), JSON.stringify(JSON.stringify(text)), new URLSearchParams({ q: text }).toString(), text.toUpperCase()];
        for (const coded of ['base64', 'base64url', 'hex'] as const) writings.push(Buffer.from(text).toString(coded));
        writings.push(text.slice(0, around.length + 8 + (cut % (secret.length - 8))), text.slice(around.length + (cut % (secret.length - 8))));
        for (const written of writings) expect(search.in([written])).toHaveLength(1);
      }
    }));
    const [leak] = fc.sample(secrets, 1).map(({ word }) => word) as [string];
    await one.leak(leak);
    await one.untilToldAll();
    const stored = await one.eventsBehind(0n);
    const swept: Record<string, readonly string[]> = {
      ...(await one.everywhere()), events: stored.stored, opened: stored.opened,
      rows: [await everyText(one.server.pool)], messages: one.messages, deliveries: one.receiver.received.map(({ text }) => text), lines: [await eventually(() => Promise.resolve(printed.join('')), (lines) => lines.includes(leak))],
    };
    for (const where of ['reads', 'streams', 'metrics', 'events', 'opened', 'rows', 'messages', 'deliveries', 'lines']) expect([where, search.in(swept[where]!).length > 0]).toEqual([where, true]);
    // The same search knows what the server made and told once.
    for (const secret of search.made.keys()) expect(search.in([`…${Buffer.from(`${secret}!`).toString('base64')}`, secret])).toHaveLength(2);
  }, 60_000);
});
