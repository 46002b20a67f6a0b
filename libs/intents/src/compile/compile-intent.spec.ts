import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { InMemoryEventStore } from '@app/event-store';
import { catalogue, logOf, processOn, SITE, siteWith } from '../testing/intent-world';
import { ChatCompletions } from './chat-completions';
import { CompileIntent } from './compile-intent.query';
import { CompileIntentHandler } from './compile-intent.handler';
import { NoLanguageModel } from './language-model';

type Asked = { readonly url: string | undefined; readonly headers: IncomingHttpHeaders; readonly body: { model: string; messages: { role: string; content: string }[] } };

/** A provider on the loopback that speaks the wire format of chat completions. */
describe('Compiling a description', () => {
  let provider: Server;
  let baseUrl: string;
  let answer: { status: number; text: string };
  const asked: Asked[] = [];
  const says = (content: unknown, status = 200) => {
    answer = { status, text: JSON.stringify({ choices: [{ message: { role: 'assistant', content: typeof content === 'string' ? content : JSON.stringify(content) } }] }) };
  };
  beforeAll(async () => {
    provider = createServer((request, reply) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        asked.push({ url: request.url, headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) as Asked['body'] });
        reply.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text);
      });
    });
    await new Promise<void>((listening) => provider.listen(0, '127.0.0.1', listening));
    baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
  });
  afterAll(() => new Promise((closed) => provider.close(closed)));

  const compile = async (description: string, { collection = 'articles', model = new ChatCompletions({ baseUrl, apiKey: 'sk-1', model: 'small', timeoutMs: 2_000 }) as ChatCompletions | NoLanguageModel } = {}) => {
    const store = new InMemoryEventStore({ catalogue });
    await siteWith(store, [{}]);
    const { executor } = processOn(store, { minute: 0 });
    const before = (await logOf(store)).length;
    const compiled = await new CompileIntentHandler(executor, model).execute(new CompileIntent({ description, collection }, { siteId: SITE }));
    expect((await logOf(store)).length).toBe(before);
    return compiled;
  };

  it('[INTENT-027] returns rules and warnings, and activates nothing', async () => {
    const rules = [{ type: 'required_fields', fields: ['title'] }, { type: 'freshness', maxAgeDays: 90 }];
    says({ rules, warnings: ['Nothing can be said about pictures.'] });
    expect(await compile('Every article has a title and is looked at each quarter, with nice pictures')).toMatchObject({ ok: true, data: { collection: 'articles', rules, warnings: ['Nothing can be said about pictures.'] } });
    expect(asked.at(-1)).toMatchObject({ url: '/v1/chat/completions', headers: { authorization: 'Bearer sk-1' }, body: { model: 'small' } });
    expect(asked.at(-1)!.body.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(JSON.parse(asked.at(-1)!.body.messages[1]!.content)).toMatchObject({ collection: { name: 'articles', fields: expect.arrayContaining([{ name: 'title', type: 'text' }]) }, description: expect.stringContaining('each quarter') });
  });

  it('leaves out what is no rule or could not be kept, and says so', async () => {
    says('```json\n{"rules":[{"type":"required_fields","fields":["nothing"]},{"type":"be_nice"},{"type":"freshness","maxAgeDays":1},{"type":"freshness","maxAgeDays":2}]}\n```');
    const compiled = await compile('x');
    expect(compiled).toMatchObject({ ok: true, data: { rules: [{ type: 'freshness', maxAgeDays: 1 }] } });
    expect(compiled.ok && compiled.data.warnings).toEqual([
      'Rule 1 was left out: The collection has no field nothing', expect.stringContaining('Rule 2 was left out'), 'Rule 4 was left out: Another rule of this type looks at age already',
    ]);
    says({ rules: [] });
    expect(await compile('x')).toMatchObject({ data: { rules: [], warnings: ['The description led to no rule that can be kept.'] } });
  });

  it('answers with the code of what went wrong, and with nothing of the key', async () => {
    const code = async (...given: Parameters<typeof compile>) => {
      const compiled = await compile(...given);
      expect(JSON.stringify(compiled)).not.toContain('sk-1');
      return compiled.ok ? 'ok' : compiled.rejection.code;
    };
    says('I am sorry, I cannot do that.');
    expect(await code('x')).toBe('LLM_INVALID_JSON');
    says('{"rules":"none"}');
    expect(await code('x')).toBe('LLM_INVALID_JSON');
    says({ rules: [] }, 500);
    expect(await code('x')).toBe('LLM_PROVIDER_ERROR');
    answer = { status: 200, text: 'not json' };
    expect(await code('x')).toBe('LLM_PROVIDER_ERROR');
    expect(await code('x', { model: new ChatCompletions({ baseUrl: 'http://127.0.0.1:1/v1', model: 'small' }) })).toBe('LLM_PROVIDER_ERROR');
    expect(await code('x', { model: new NoLanguageModel() })).toBe('LLM_NOT_CONFIGURED');
    expect(await code('x', { collection: 'nowhere' })).toBe('VALIDATION_FAILED');
  });
});
