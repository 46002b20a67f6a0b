import type { NewEvent, StreamWrite } from '@app/event-store';
import { Pool } from 'pg';
import { v7 } from 'uuid';
import { childSettings, serve } from '../child.ts';
import { product } from '../product.ts';
import { MASTER_KEY, SITE } from '../protocol.ts';
import { contextOf } from '../stories.ts';

/** Makes a log long by repeating runs that really happened, each time under new ids: what is decided again from it decides as it did. */
const { connection, dist } = childSettings();
const { PostgresEventStore } = await product(dist).eventStore();
const { catalogue } = await product(dist).composition();
const { MasterKey, Vault } = await product(dist).vault();
const { sealedPayloads } = await product(dist).sealing();
const keys = new Pool({ ...connection, max: 2 });
/** The copies are written as they are: whoever reads a log does so with and without sealed payloads in it. */
const store = await new PostgresEventStore({ connection, catalogue }).start();
const opened = new PostgresEventStore({ connection, catalogue, sealing: { payloads: sealedPayloads, subjects: new Vault(keys, MasterKey.of(MASTER_KEY)!).payloadsOn(keys) } });

type Stream = { readonly streamId: string; readonly events: readonly NewEvent[] };
/** A goal, its run and its approvals, as JSON text: ids are replaced wherever they stand. */
type Template = { readonly text: string; readonly ids: readonly string[] };

const IDS = /\b(?:goal|run|call|appr)_[0-9a-f]{32}\b/g;
const STORIES_PER_APPEND = 25;
const APPENDS_AT_ONCE = 4;
const EVENTS_PER_APPEND = 500;

let templates: readonly Template[] = [];

const streamOf = async (streamId: string): Promise<Stream> => {
  const events: NewEvent[] = [];
  for await (const { type, data } of opened.read(streamId)) events.push({ type, data });
  return { streamId, events };
};

const templateOf = async ({ runId, goalId }: { readonly runId: string; readonly goalId: string }): Promise<Template> => {
  const streams = [await streamOf(`goal-${goalId}`), await streamOf(`run-${runId}`)];
  const approvals = new Set(JSON.stringify(streams).match(/\bappr_[0-9a-f]{32}\b/g) ?? []);
  for (const approvalId of approvals) streams.push(await streamOf(`approval-${approvalId}`));
  const text = JSON.stringify(streams.filter(({ events }) => events.length > 0));
  return { text, ids: [...new Set(text.match(IDS))] };
};

const fresh = (id: string) => `${id.slice(0, id.indexOf('_'))}_${v7().replaceAll('-', '')}`;
const copyOf = ({ text, ids }: Template): readonly Stream[] => {
  const renamed = new Map(ids.map((id) => [id, fresh(id)]));
  return JSON.parse(text.replaceAll(IDS, (id) => renamed.get(id)!)) as readonly Stream[];
};

const append = async (streams: readonly Stream[]): Promise<bigint> => {
  const writes = streams.map(({ streamId, events }): StreamWrite => ({ streamId, expected: 'any', events }));
  const result = await store.append(writes, [], contextOf(SITE));
  if (!result.ok) throw new Error(`The append failed: ${JSON.stringify(result)}`);
  return result.position;
};

const head = async () => Number(BigInt.asIntN(53, await store.head()));

/** The processes of a log that became long by itself are at its end: without this a server handles ten million old events beside what is measured. */
const asIfHandled = () => keys.query('UPDATE es_consumer SET position = (SELECT max(position) FROM es_event)');

serve({
  /** From then on these runs are what is repeated, one after the other. */
  learn: async (runs: readonly { readonly runId: string; readonly goalId: string }[]) => {
    templates = await Promise.all(runs.map(templateOf));
  },

  /** Until the log has so many events; gives how many it has. */
  grow: async (events: number) => {
    const target = BigInt(events);
    let stories = 0;
    const writer = async () => {
      for (let reached = await store.head(); reached < target;)
        reached = await append(Array.from({ length: STORIES_PER_APPEND }, () => copyOf(templates[stories++ % templates.length]!)).flat());
    };
    await Promise.all(Array.from({ length: APPENDS_AT_ONCE }, writer));
    await asIfHandled();
    return head();
  },

  /** A run that is still open, with so many calls behind it. */
  longRun: async (calls: number) => {
    const [goal, run] = copyOf(templates[0]!) as readonly [Stream, Stream];
    const until = run.events.findIndex(({ type }) => type === 'ToolCallAuthorised');
    const pair = run.events.slice(until, until + 2);
    const callId = (pair[0]!.data as { callId: string }).callId;
    const text = JSON.stringify(pair);
    const more = Array.from({ length: calls }, () => JSON.parse(text.replaceAll(callId, fresh('call_'))) as readonly NewEvent[]).flat();
    const events = [...run.events.slice(0, until), ...more];
    const settled = goal.events.findIndex(({ type }) => type === 'GoalSettled');
    await append([{ ...goal, events: settled < 0 ? goal.events : goal.events.slice(0, settled) }]);
    for (let n = 0; n < events.length; n += EVENTS_PER_APPEND) await append([{ ...run, events: events.slice(n, n + EVENTS_PER_APPEND) }]);
    return run.streamId.slice('run-'.length);
  },
});
