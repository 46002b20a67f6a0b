import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serverDatabase, type TestDatabase } from '../database';
import { CountingServer, type Answering } from './counting-server';
import { Processes, urlOf, type ReadyProcess } from './processes';
import { ADMIN_KEY, apiAt, type Api, type Body } from './server';

const SECRETS: Readonly<Record<string, string>> = { crm: 'k3y-of-the-crm-1234567890', account: 'account-no-0987654321', broken: 'broken-s3cret\r\nx-other: 1', 'webhook-signing': 'whsec_0123456789abcdef' };

describe('The log lines of a server whose tools have credentials', () => {
  const processes = new Processes();
  let database: TestDatabase;
  let outside: CountingServer;
  let server: ReadyProcess;
  let admin: Api;
  const register = (name: string, http: Body, more: Body = {}) =>
    admin('PUT', `agent/tools/${name}`, { kind: 'http', description: 'x', inputSchema: { type: 'object' }, requiredCapabilities: ['items:read'], risk: 'read', timeoutMs: 1_000, http: { url: `${outside.url}/?word=hidden-in-the-query`, ...http }, ...more });
  const call = async (skillName: string) => (await admin('POST', 'agent/goals', { title: 'Ask', agentName: 'robot', task: { skillName, arguments: {} } })).body.data.result as Body;

  beforeAll(async () => {
    [database, outside] = await Promise.all([serverDatabase(), CountingServer.start()]);
    server = await processes.start({ DATABASE_URL: urlOf(database), HARNESS_BOOTSTRAP_KEY: ADMIN_KEY, LOG_LEVEL: 'verbose' });
    admin = apiAt(server.url)(ADMIN_KEY);
  });
  afterAll(async () => {
    await processes.cleanUp();
    await outside.close();
    await database.drop();
  });

  it('[SEC-010] hold none of them, whatever the tools answer and however the calls fail', async () => {
    expect((await admin('PUT', 'settings', { outbound: { allowHosts: [outside.host, '127.0.0.1:9'] }, secrets: SECRETS })).status).toBe(200);
    const credentials = { auth: 'secret://crm', headers: { 'X-Account': 'id secret://account' } };
    await register('crm', credentials);
    const repeating = ({ headers }: { readonly headers: Body }) => JSON.stringify(headers);
    const answers: readonly (readonly [Answering, string])[] = [
      [(asked) => ({ body: repeating(asked) }), 'executed'],
      [(asked) => ({ status: 500, body: repeating(asked) }), 'failed'],
      [(asked) => ({ status: 302, headers: { location: `http://${String(asked.headers.authorization).slice(7)}.example/` } }), 'failed'],
      [(asked) => ({ status: 302, headers: { location: `http://10.0.0.1/${String(asked.headers.authorization).slice(7)}` } }), 'failed'],
      [(asked) => ({ body: `not JSON ${repeating(asked)}` }), 'failed'],
      [(asked) => ({ body: 'x', headers: { 'content-type': `application/${String(asked.headers.authorization).slice(7)}` } }), 'failed'],
      [(_asked, response) => (response.socket?.end(`HTTP/1.1 nonsense ${SECRETS['crm']}\r\n\r\n`), undefined), 'failed'],
      [(_asked, response) => (response.destroy(), undefined), 'failed'],
      [() => undefined, 'failed'],
    ];
    const told: Body[] = [];
    for (const [answer, status] of answers) {
      outside.answer = answer;
      told.push(await call('crm'));
      expect(told.at(-1)).toMatchObject({ status });
    }
    expect(outside.received).toHaveLength(answers.length);
    for (const { headers } of outside.received) expect(headers).toMatchObject({ authorization: `Bearer ${SECRETS['crm']}`, 'x-account': `id ${SECRETS['account']}` });
    for (const [name, http] of [['unset', { ...credentials, auth: 'secret://nothing' }], ['broken', { ...credentials, auth: 'secret://broken' }], ['tls', { ...credentials, url: `https://${outside.host}/` }], ['nobody', { ...credentials, url: 'http://127.0.0.1:9/' }], ['refused', { ...credentials, url: 'http://169.254.169.254/' }]] as const) {
      await register(name, http);
      told.push(await call(name));
      expect(told.at(-1)).toMatchObject({ status: 'failed' });
    }
    // What is refused before it is kept is not printed either.
    expect((await register('inline', { headers: { Authorization: `Bearer ${SECRETS['crm']}` } })).status).toBe(422);
    expect((await admin('PUT', 'settings', { secrets: { crm: [SECRETS['crm']] } })).status).toBe(422);
    await server.stop();

    expect(server.output()).toContain('SIGTERM: stopping');
    for (const text of [server.output(), JSON.stringify(told)]) {
      for (const value of [...Object.values(SECRETS).map((secret) => secret.split('\r')[0]!), 'hidden-in-the-query']) expect(text).not.toContain(value);
    }
  });
});
