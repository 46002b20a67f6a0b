import { randomUUID } from 'node:crypto';
import { rawServer, rawTool } from '../../libs/tool-mcp/src/testing';
import { ask } from './mcp/clients';
import { wordNamed, type SecretSearch, type Secrets } from './planted-secrets';
import { repeating, repeatingOverMcp } from './repeating';
import type { SecretServer } from './secret-server';
import type { Answer, Body } from './server';

/** What has to have happened, else the search looked at nothing. */
export const SEEN = [
  'call executed', 'call failed', 'call denied', 'parked pending_approval', 'approved executed', 'rejected 200', 'answered 200', 'client executed', 'client failed', 'worker executed', 'worker failed', 'settings 200', 'settings 422', 'targets 422', 'channels 422', 'subscribed 422',
  'tool 422', 'dry run 200', 'policies tested 200', 'key 201', 'token 201', 'unknown 401', 'broken 400', 'subscribed 201', 'deployed succeeded', 'deployed failed', 'compiled 502', 'remembered 201', 'completed 200', 'task succeeded', 'task queued', 'mcp executed', 'mcp failed', 'own mcp 200',
  'channels 200', 'artifact 422', 'forked 201', 'mismatch 422',
] as const;

export type Play = { readonly moves: Readonly<Record<string, (planted: Secrets, mode: number) => Promise<void>>>; readonly seen: ReadonlySet<string> };

/** Everything that can be done with a secret; each move takes new ones. */
export const operations = async (one: SecretServer, search: SecretSearch): Promise<Play> => {
  const { server, admin, outside, receiver } = one;
  const seen = new Set<string>();
  const saw = (what: string, { status, text }: Answer, shown: unknown = status) => {
    if (status >= 500 && status !== 502) throw new Error(`${what}: ${status} ${text}`);
    seen.add(`${what} ${String(shown)}`);
  };
  const newKey = async (body: Body) => {
    const made = await server.newKey(body);
    search.add(`key of ${body.name as string}`, made.key, 43);
    return one.agentAs(made.key);
  };
  const upstream = await rawServer([rawTool('search')]);
  one.onClose(() => upstream.close());
  const agent = await newKey({ name: 'robot', capabilities: ['items:read', 'items:update', 'memory:write'] });
  const worker = await newKey({ name: 'worker', kind: 'service', capabilities: ['worker:take', 'items:update'] });
  const tool = { description: 'Logs in', requiredCapabilities: ['items:update'], risk: 'write', irreversible: false, inputSchema: { type: 'object', properties: { user: { type: 'string' } }, required: ['user'] }, timeoutMs: 5_000 };
  const http = { url: `${outside.url}/login/secret://path?of=secret://path`, auth: 'secret://account', headers: { 'X-Crm': 'secret://crm' } };
  await admin('PUT', 'settings', {
    outbound: { allowHosts: [outside.host, receiver.host, upstream.host] }, contentOs: { vetoWindow: true, mcp: true }, deployments: { targets: [{ name: 'site', ...http }] },
    secrets: Object.fromEntries(['crm', 'account', 'path', 'hook'].map((name) => [name, wordNamed(name)])),
  });
  for (const [name, more] of Object.entries({ login: { kind: 'http', http }, look: { kind: 'http', http: { ...http, method: 'GET' } }, shell: { kind: 'client' }, render: { kind: 'worker', worker: { leaseMs: 60_000 } } }))
    await admin('PUT', `agent/tools/${name}`, { ...tool, ...more });
  await admin('POST', 'agent/tools/import/mcp', { server: 'docs', transport: { type: 'http', url: upstream.url, headers: { 'x-key': 'secret://account' } }, defaults: { risk: 'read', requiredCapabilities: ['items:read'] } });
  await server.admin('POST', 'cdc/subscriptions', { name: 'all', target: { type: 'webhook', url: `${receiver.url}/cdc` }, fromPosition: '1' }).then(({ body }) => search.add('secret of the subscription', body.data.secret as string));

  const open = async (more: Body = {}): Promise<string> => (await agent('POST', 'agent/goals', { title: 'Log in', agentName: 'robot', ...more })).body.data.runId as string;
  const call = (runId: string, name: string, args: Body, more: Body = {}) => agent('POST', `agent/runs/${runId}/tool-calls`, { tool: name, arguments: args, ...more });
  const argumentsOf = ({ phrase, text, word }: Secrets): Body => ({ user: 'ada', password: phrase, options: { retry: 2, headers: [{ Authorization: `Bearer ${word}` }], credentials: { pin: phrase } }, note: text });
  const setSecrets = async ({ word, header }: Secrets) => saw('settings', await admin('PUT', 'settings', { secrets: { crm: header, account: word, path: word, hook: header } }));
  const parked = async (planted: Secrets) => {
    const runId = await open({ approvalPolicy: 'before_execute' });
    const asked = await call(runId, 'login', argumentsOf(planted));
    saw('parked', asked, asked.body.data.status);
    return { runId, ...(asked.body.data as { approvalId: string; callId: string }) };
  };
  const decide = (approvalId: string, body: Body) => admin('POST', `agent/approvals/${approvalId}/decide`, body);

  const moves: Record<string, (planted: Secrets, mode: number) => Promise<void>> = {
    call: async (planted, mode) => {
      await setSecrets(planted);
      outside.answer = repeating(mode, planted.filler);
      const runId = await open();
      for (const name of ['login', 'look']) {
        const { body, ...answer } = await call(runId, name, argumentsOf(planted));
        saw('call', { body, ...answer }, body.data.status);
      }
    },
    mcp: async (planted, mode) => {
      upstream.on['tools/call'] = repeatingOverMcp(mode, planted);
      const called = await call(await open(), 'docs.search', argumentsOf(planted));
      saw('mcp', called, called.body.data.status);
      outside.answer = repeating(mode, planted.filler);
      saw('own mcp', await ask(agent, 'tools/call', { name: 'login', arguments: argumentsOf(planted) }));
    },
    refused: async (planted, mode) => {
      const runId = await open();
      const wrong = mode % 2 === 0 ? { user: 7 } : { user: { [planted.text]: 1 } };
      const denied = await call(runId, 'login', { ...argumentsOf(planted), ...wrong });
      saw('call', denied, denied.body.data.status);
      await call(runId, `ghp_${planted.word}`, argumentsOf(planted));
      const key = { 'idempotency-key': randomUUID() };
      await agent('POST', `agent/runs/${runId}/tool-calls`, { tool: 'shell', arguments: argumentsOf(planted) }, key);
      saw('mismatch', await agent('POST', `agent/runs/${runId}/tool-calls`, { tool: 'shell', arguments: { user: planted.phrase } }, key));
    },
    approve: async (planted, mode) => {
      await setSecrets(planted);
      outside.answer = repeating(mode, planted.filler);
      const { approvalId } = await parked(planted);
      const edited = mode % 3 === 0 ? { arguments: { user: 'eve', password: planted.phrase, note: planted.text } } : {};
      const { body, ...answer } = await decide(approvalId, { decision: 'approved', ...edited });
      saw('approved', { body, ...answer }, body.data?.call?.status);
    },
    reject: async (planted, mode) => {
      const { approvalId, runId } = await parked(planted);
      saw('answered', await admin('POST', `agent/approvals/${approvalId}/answer`, { text: planted.text.slice(0, 3_000) }));
      if (mode % 2 === 0) saw('rejected', await decide(approvalId, { decision: 'rejected', reason: planted.text.slice(0, 1_900) }));
      else await agent('POST', `agent/runs/${runId}/cancel`, {});
    },
    client: async (planted, mode) => {
      const runId = await open();
      const { callId } = (await call(runId, 'shell', argumentsOf(planted))).body.data as Body;
      const told = mode % 2 === 0 ? { status: 'executed', result: { token: planted.phrase, note: planted.text } } : { status: 'failed', error: planted.text.slice(0, 2_000) };
      const answer = await agent('POST', `agent/runs/${runId}/tool-calls/${callId as string}/outcome`, told);
      saw('client', answer, answer.body.data?.status);
    },
    worker: async (planted, mode) => {
      const asked = call(await open(), 'render', argumentsOf(planted));
      // A worker is told what it is to work with; whatever else is said of the call is searched.
      const { leaseId, token } = (await server.as(worker.key)('POST', 'agent/worker/poll', { tools: ['render'], waitMs: 10_000 })).body.data as Body;
      if (!search.made.has(token as string) && search.made.size < 20) search.add('token of a worker', token as string, 40);
      await worker('POST', `agent/worker/calls/${leaseId as string}/${mode % 2 === 0 ? 'complete' : 'fail'}`, mode % 2 === 0 ? { result: { token: planted.phrase, said: planted.text, user: planted.phrase } } : { error: `${'.'.repeat(planted.filler)}${planted.phrase} ${planted.text}`.slice(0, 2_000) });
      const answer = await asked;
      saw('worker', answer, answer.body.data.status);
    },
    task: async (planted, mode) => {
      await setSecrets(planted);
      outside.answer = repeating(mode, planted.filler);
      const answer = await agent('POST', 'agent/goals', { title: 'Log in', agentName: 'robot', execution: mode % 3 === 0 ? 'async' : 'sync', task: { skillName: 'login', arguments: argumentsOf(planted) } });
      saw('task', answer, answer.body.data.runStatus);
      await agent('POST', `agent/runs/${answer.body.data.runId as string}/retry`);
    },
    look: async (planted) => {
      saw('dry run', await agent('POST', 'agent/tools/login/dry-run', { arguments: argumentsOf(planted) }));
      await agent('POST', 'agent/tools/login/dry-run', { arguments: { ...argumentsOf(planted), user: { [planted.text]: 1 } } });
      saw('policies tested', await admin('POST', 'agent/policies/test', { cases: [{ tool: 'login', arguments: argumentsOf(planted), expect: 'allow' }], rules: [{ name: 'r', when: { tool: 'login' }, then: { do: 'ask' } }] }));
    },
    settings: async (planted) => {
      await setSecrets(planted);
      saw('settings', await admin('PUT', 'settings', { secrets: { crm: [planted.phrase] } }));
      saw('tool', await admin('PUT', 'agent/tools/inline', { ...tool, kind: 'http', http: { url: `${outside.url}/?access_token=${planted.word}`, headers: { Authorization: `Bearer ${planted.word}`, 'X-Api-Key': planted.header } } }));
      for (const http of [{ url: `https://ada:${planted.word}@${outside.host}/` }, { url: `${outside.url}/?token=${planted.word}` }, { url: outside.url, headers: { 'X-Api-Key': planted.header } }])
        saw('targets', await admin('PUT', 'settings', { deployments: { targets: [{ name: 'inline', ...http }] } }));
      saw('channels', await admin('PUT', 'notifications/channels', { channels: [{ name: 'ops', type: 'webhook', url: `${receiver.url}/secret://hook`, secret: 'secret://hook' }, { name: 'chat', type: 'slack', url: `http://127.0.0.1:9/secret://path` }] }));
      for (const url of [`https://ada:${planted.word}@chat.invalid/`, `https://chat.invalid/?access_token=${planted.word}`]) saw('channels', await admin('PUT', 'notifications/channels', { channels: [{ name: 'ops', type: 'webhook', url }] }));
      // The mail server does not answer, and its password is told to nobody.
      await admin('PUT', 'notifications/preferences', { email: 'ada@example.com', kinds: { email: ['approval'], push: ['approval'] } });
      await admin('POST', 'notifications/push-subscriptions', { endpoint: `https://push.invalid/${planted.word}`, keys: { p256dh: 'B'.repeat(87), auth: planted.word.slice(0, 22).padEnd(22, 'A') } });
    },
    keys: async (planted) => {
      const once = { 'idempotency-key': randomUUID() };
      const body = { name: 'temporary', kind: 'service', capabilities: [] };
      const made = await server.admin('POST', 'api-keys', body, once);
      saw('key', made);
      const { id, key } = made.body.data as { id: string; key: string };
      if (search.made.size < 20) search.add('a key', key, 43);
      await admin('POST', 'api-keys', body, once);
      await one.agentAs(key)('GET', 'agent/runs');
      await one.agentAs(`${key}x`)('GET', 'agent/runs');
      await server.admin('POST', `api-keys/${id}/rotate`, {});
      await one.agentAs(key)('GET', 'agent/runs');
      await admin('DELETE', `api-keys/${id}`);
      saw('unknown', await one.agentAs(`hk_${planted.word}`)('GET', 'agent/runs'));
      const issued = await server.as(agent.key)('POST', `agent/runs/${await open()}/token`, {});
      saw('token', issued);
      const { token, runId } = issued.body.data as { token: string; runId: string };
      if (search.made.size < 20) search.add('a run token', token, 40);
      await one.agentAs(token)('POST', `agent/runs/${runId}/tool-calls`, { tool: 'shell', arguments: argumentsOf(planted) });
      await one.agentAs(`${token.slice(0, -4)}AAAA`)('GET', `agent/runs/${runId}`);
    },
    lost: async (planted) => {
      await admin('GET', `nowhere/${encodeURIComponent(planted.phrase)}`);
      await admin('GET', `agent/runs/${planted.word}?access_token=${planted.word}`);
      await admin('GET', `agent/runs?limit=${planted.word}`);
      await admin('GET', `items/products?filter[title]=${planted.word}&sort=${planted.word}`);
      await agent('POST', `agent/runs/${await open()}/tool-calls`, argumentsOf(planted));
      saw('broken', await agent('POST', `agent/runs/${await open()}/tool-calls`, `{"password": ${JSON.stringify(planted.phrase)}, `));
      await fetch(`${server.url}/api/v1/agent/runs`, { headers: { cookie: `session=${planted.word}`, 'x-api-key': planted.word } }).then(async (answer) => one.answers.push(await answer.text()));
    },
    subscribe: async (planted) => {
      const made = await server.admin('POST', 'cdc/subscriptions', { name: 'own', target: { type: 'webhook', url: `${receiver.url}/secret://path` }, types: ['SiteCreated'] });
      saw('subscribed', made);
      const { id, secret } = made.body.data as { id: string; secret: string };
      if (search.made.size < 20) search.add('a signing secret', secret, 40);
      await admin('POST', `cdc/subscriptions/${id}/replay`, { fromPosition: '1' });
      for (const target of [{ url: `https://ada:${planted.word}@hooks.invalid/` }, { url: `https://hooks.invalid/?access_token=${planted.word}` }, { url: 'https://hooks.invalid/', secret: planted.word }])
        saw('subscribed', await admin('POST', 'cdc/subscriptions', { name: 'inline', target: { type: 'webhook', ...target } }));
      await admin('DELETE', `cdc/subscriptions/${id}`);
    },
    deploy: async (planted, mode) => {
      await setSecrets(planted);
      outside.answer = repeating(mode, planted.filler);
      const answer = await admin('POST', 'deployments', { target: 'site', reason: planted.text.slice(0, 500), parameters: { ref: 'v7', password: planted.phrase, note: planted.text.slice(0, 2_000) } });
      saw('deployed', answer, answer.body.data?.status);
    },
    compile: async (planted, mode) => {
      outside.answer = repeating(mode, planted.filler);
      saw('compiled', await admin('POST', 'agent/intents/compile', { description: planted.text, collection: 'products' }));
      await admin('POST', 'agent/generate-app', { prompt: planted.text, template: 'none' });
      saw('artifact', await admin('POST', 'agent/artifacts', { type: 'report', title: 'Stock', content: { summary: planted.text, apiKey: planted.phrase } }));
    },
    remember: async (planted) => {
      saw('remembered', await admin('POST', 'agent/memory', { content: planted.text, tags: ['note'] }));
      await admin('GET', 'agent/memory/search?q=note');
    },
    end: async (planted, mode) => {
      const runId = await open();
      const { callId } = (await call(runId, 'shell', argumentsOf(planted), { callId: 'first' })).body.data as Body;
      await agent('POST', `agent/runs/${runId}/tool-calls/${callId as string}/outcome`, { status: 'executed', result: planted.text });
      saw('forked', await agent('POST', `agent/runs/${runId}/fork`, { atCallId: 'first' }));
      saw('completed', await agent('POST', `agent/runs/${runId}/${mode % 2 === 0 ? 'complete' : 'fail'}`, mode % 2 === 0 ? { result: { note: planted.text, token: planted.phrase } } : { reason: planted.text.slice(0, 2_000) }));
      await admin('GET', `agent/replay/streams/run-${runId}?version=3`);
      if (mode === 0) await admin('POST', 'agent/replay/backtest', { candidate: { policies: [] } });
    },
  };
  return { moves, seen };
};
