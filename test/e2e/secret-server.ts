import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { connect } from '@nats-io/transport-node';
import { testNats } from '../nats';
import { CountingServer } from './counting-server';
import { eventually } from './eventually';
import { SecretSearch, wordNamed } from './planted-secrets';
import { recordingRoutes } from './routes';
import { ADMIN_KEY, testServer, type Api, type Body } from './server';

const STREAMS = ['/api/v1/audit/stream', '/api/v1/notifications/stream', '/api/v1/agent/runs/:runId/stream', '/api/v1/items/:collection/changes', '/api/v1/mcp'];
const METRICS_TOKEN = wordNamed('metrics');
/** A stream that has said nothing for so long has said what it had. */
const QUIET_MS = 150;
const MOST_OF_A_KIND = 3;

/**
 * A server with everything that it can be connected to: NATS, a receiver of its log, its checkpoints and its cards, tools outside of it, a language model and
 * a mail server, each with a password of its own. Whatever it says is kept.
 */
export const secretServer = async (search: SecretSearch) => {
  const natsPassword = wordNamed('nats');
  const [nats, outside, receiver] = await Promise.all([testNats('--user', 'harness', '--pass', natsPassword), CountingServer.start(), CountingServer.start()]);
  const master = randomBytes(32).toString('hex');
  search.add('master key', master);
  search.add('admin key', ADMIN_KEY, 20);
  const natsUrl = nats.url.replace('nats://', `nats://harness:${natsPassword}@`);
  const [server, routes] = await recordingRoutes(() => testServer({
    HARNESS_MASTER_KEY: master, LOG_LEVEL: 'verbose', NATS_URL: natsUrl, HARNESS_METRICS_TOKEN: METRICS_TOKEN,
    LLM_BASE_URL: `${outside.url}/v1`, LLM_MODEL: 'small', LLM_API_KEY: wordNamed('model'), SMTP_URL: `smtp://ada:${wordNamed('mail')}@127.0.0.1:9`,
    HARNESS_CHECKPOINT_WEBHOOK: `${receiver.url}/checkpoints`, HARNESS_CHECKPOINT_WEBHOOK_SECRET: wordNamed('checkpoints'),
  }));
  const ends: (() => unknown)[] = [];
  const messages: string[] = [];
  const connection = await connect({ servers: nats.url, user: 'harness', pass: natsPassword });
  connection.subscribe('>', { callback: (_error, message) => void messages.push(`${message.subject} ${message.string()} ${message.headers?.keys().map((key) => `${key}: ${message.headers!.get(key)}`).join('\n') ?? ''}`) });
  const answers: string[] = [];
  /** Whatever the server answers is kept, to be searched. */
  const listening = (api: Api): Api => Object.assign(async (...args: Parameters<Api>) => {
    const answer = await api(...args);
    answers.push([answer.text, ...[...answer.headers].map(([name, value]) => `${name}: ${value}`)].join('\n'));
    return answer;
  }, { key: api.key });
  const admin = listening(server.admin);

  const eventsBehind = async (position: bigint) => {
    const { rows } = await server.pool.query<Body>('SELECT position, stream_id, type, data, metadata FROM es_event WHERE position > $1 ORDER BY position', [String(position)]);
    const log = (await server.log(position)) as Body[];
    return { stored: rows.map((row) => JSON.stringify(row)), opened: log.map((event) => JSON.stringify(event)), head: rows.length === 0 ? position : BigInt(rows.at(-1).position as string) };
  };

  /** Ids by the names that routes give them: the newest of each kind. */
  const ids = async (): Promise<Readonly<Record<string, readonly string[]>>> => {
    const { rows } = await server.pool.query<{ stream: string }>('SELECT stream_id AS stream FROM es_event GROUP BY stream_id ORDER BY max(position) DESC');
    const of = (category: string) => rows.flatMap(({ stream }) => (stream.startsWith(`${category}-`) ? [stream.slice(category.length + 1)] : [])).slice(0, MOST_OF_A_KIND);
    const { rows: [last] } = await server.pool.query<{ id: string }>('SELECT event_id AS id FROM es_event ORDER BY position DESC LIMIT 1');
    const [runId] = of('run');
    const hash = (await server.admin('GET', `agent/runs/${runId!}`)).body.data.envelope.context.policySnapshotHash as string;
    const { data: [item] } = (await server.admin('GET', 'items/products')).body;
    return {
      runId: of('run'), goalId: of('goal'), approvalId: of('approval'), artifactId: of('artifact'), deploymentId: of('deployment'), subscriptionId: of('subscription'), fileId: of('desk'), flowId: of('flow'),
      streamId: rows.map(({ stream }) => stream).filter((stream) => /^(run|approval|goal|deployment|governance)-/.test(stream)).slice(0, 2 * MOST_OF_A_KIND), eventId: [last!.id], hash: [hash], collection: ['products'], name: ['login', 'products'], id: item ? [item.id as string] : [], revision: ['1'], version: ['x'],
    };
  };
  const read = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${ADMIN_KEY}`, ...headers } });
    return { status: answer.status, text: `${path} ${await answer.text()}` };
  };
  /** What a stream has to say, its pieces put together again. */
  const streamed = async (path: string) => {
    const left = new AbortController();
    const answer = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${ADMIN_KEY}`, 'last-event-id': '1' }, signal: left.signal });
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = path;
    for (;;) {
      const next = await Promise.race([reader.read(), new Promise<undefined>((quiet) => setTimeout(() => quiet(undefined), QUIET_MS))]);
      if (!next || next.done) break;
      text += next.value;
    }
    left.abort();
    await reader.cancel().catch(() => undefined);
    return text;
  };

  /** All that can be asked of it, and the files that it keeps. */
  const everywhere = async () => {
    const known = await ids();
    const pathsOf = (path: string): readonly string[] => {
      const name = /:(\w+)/.exec(path)?.[1];
      return name === undefined ? [path] : (known[name] ?? []).flatMap((id) => pathsOf(path.replace(`:${name}`, encodeURIComponent(id))));
    };
    const gets = routes.filter(({ method, path }) => method === 'GET' && path !== '/metrics');
    const head = await server.head();
    const asked = gets.filter(({ path }) => !STREAMS.includes(path)).flatMap(({ path }) => pathsOf(path)).map((path) => {
      const query = path.endsWith('/at') || path.includes('/replay/governance') ? `position=${head}` : path.includes('/replay/streams') ? 'version=3' : path.endsWith('/search') ? 'q=a&query=a' : path.startsWith('/api/v1/') ? 'limit=100' : '';
      return query === '' ? path : `${path}?${query}`;
    });
    const reads: { status: number; text: string }[] = [];
    // Some at a time: a server has a limit for each caller.
    const next = asked.values();
    await Promise.all(Array.from({ length: 8 }, async () => {
      for (const path of next) {
        const answer = await read(path);
        // A route that takes no `limit` says so.
        reads.push(answer.status === 422 && path.endsWith('?limit=100') ? await read(path.slice(0, path.indexOf('?'))) : answer);
      }
    }));
    const bad = reads.filter(({ status }) => status >= 500).map(({ text }) => text);
    const good = reads.filter(({ status }) => status === 200).length;
    if (bad.length > 0 || good < 60) throw new Error(`Only ${good} of ${reads.length} reads were answered: ${bad.join()}`);
    const streams = await Promise.all([...STREAMS.slice(0, 2), ...known['runId']!.map((id) => `/api/v1/agent/runs/${id}/stream`), '/api/v1/items/products/changes'].map(streamed));
    const { text } = await read('/metrics', { authorization: `Bearer ${METRICS_TOKEN}` });
    if (!text.includes('lumibase_agent_runs_total')) throw new Error(`No metrics: ${text.slice(0, 200)}`);
    return { reads: reads.map((answer) => answer.text), streams, metrics: [text], files: filesIn(server.dataDir) };
  };

  return {
    server, admin, outside, onClose: (end: () => unknown) => void ends.push(end), receiver, messages, answers, eventsBehind, everywhere,
    agentAs: (key: string) => listening(server.as(key)),
    /** Until the broker and the receiver have heard the whole log. */
    untilToldAll: async () => {
      const head = await server.head();
      const last = (texts: readonly string[], position: bigint) => texts.some((text) => text.includes(`"position":"${position}"`));
      const bodies = () => receiver.received.map(({ text }) => text);
      if (!(await eventually(() => Promise.resolve(last(messages, head)), Boolean))) throw new Error(`NATS was not told of ${head}: ${messages.at(-1)}`);
      const { rows: [own] } = await server.pool.query<{ position: string }>(`SELECT max(position) AS position FROM es_event WHERE site_id = 'site_demo'`);
      if (!(await eventually(() => Promise.resolve(last(bodies(), BigInt(own!.position))), Boolean))) throw new Error(`The receiver was not told of ${own!.position}: ${bodies().at(-1)}`);
    },
    /** Of everybody who decides again and computes again what is in the log. */
    verdicts: async () => Promise.all(['audit/verify', 'agent/replay/verify'].map(async (path) => (/"ok":true/.test((await server.admin('GET', path)).text) ? 'ok' : path))),
    /** Says a secret aloud: in an item, as the name of an agent, on standard output. */
    leak: async (secret: string) => {
      await admin('POST', 'items/products', { data: { sku: 'LEAK', title: secret } });
      const { runId } = (await admin('POST', 'agent/goals', { title: secret, agentName: secret })).body.data as Body;
      await admin('POST', `agent/runs/${runId}/complete`, {});
      await eventually(async () => (await read('/metrics', { authorization: `Bearer ${METRICS_TOKEN}` })).text, (text) => text.includes(secret));
      (await import('node:fs')).default.write(1, `{"msg":"${secret}"}\n`, () => undefined);
    },
    close: async () => {
      await connection.close();
      await server.close();
      await Promise.all([nats.stop(), outside.close(), receiver.close(), ...ends.map((end) => end())]);
    },
  };
};
export type SecretServer = Awaited<ReturnType<typeof secretServer>>;

const filesIn = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true }).map((name) => join(directory, String(name))).filter((path) => statSync(path).isFile()).map((path) => `${path} ${readFileSync(path, 'latin1')}`);
