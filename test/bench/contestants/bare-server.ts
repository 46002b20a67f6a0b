import { fastify } from 'fastify';
import { Client } from 'pg';
import { childSettings, serve } from '../child.ts';
import { product } from '../product.ts';
import { callPath, DIRECT_PATH, SITE, TOOLS } from '../protocol.ts';
import { contextOf, event } from '../stories.ts';

/**
 * What a governed call costs without its governance: Fastify by itself, and the same two appends to the same log, one before the handler and
 * one after it. Nobody is authenticated, nothing is loaded, checked, decided or projected.
 */
const { connection, dist } = childSettings();
const { newId, PostgresEventStore, migrateLog } = await product(dist).eventStore();
const { catalogue } = await product(dist).composition();

const client = new Client(connection);
await client.connect();
await migrateLog(client);
await client.end();
const store = await new PostgresEventStore({ connection, catalogue }).start();

const handler = () => Promise.resolve({ noted: true });
const append = async (runId: string, events: ReturnType<typeof event>) => {
  const result = await store.append([{ streamId: `run-${runId}`, expected: 'any', events: [events] }], [], contextOf(SITE));
  if (!result.ok) throw new Error(`The append failed: ${JSON.stringify(result)}`);
  return String(result.position);
};

const app = fastify();
app.post<{ Params: { runId: string }; Body: { tool: string; arguments: object } }>(
  callPath(':runId'),
  async ({ params: { runId }, body }) => {
    const callId = newId('call');
    await append(runId, event('ToolCallAuthorised', { callId, tool: TOOLS.safe, arguments: body.arguments }, ['approvalId']));
    const result = await handler();
    const position = await append(runId, event('ToolCallSucceeded', { callId, result }));
    return { data: { callId, status: 'executed', result }, position };
  },
);
app.post(DIRECT_PATH, async () => ({ data: { status: 'executed', result: await handler() } }));
const url = await app.listen({ host: '127.0.0.1', port: 0 });

serve({
  url: () => url,
  stop: async () => {
    await app.close();
    await store.close();
  },
});
