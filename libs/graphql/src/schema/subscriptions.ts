import {
  GraphQLID, GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString, type GraphQLFieldConfig, type GraphQLOutputType,
} from 'graphql';
import type { EventFilter, EventStore } from '@app/event-store';
import { positionParam, ProblemException } from '@app/http';
import type { Recorded } from '@app/kernel';
import type { Operation } from '../api/operations';
import type { Arguments, RestCalls } from '../api/rest-calls';
import type { GraphqlContext, Session } from '../context';
import { costing, type Limits } from '../limits/costs';
import { liveIterator } from '../live/live-iterator';
import { liveRecords } from '../live/live-records';
import { shown } from '../problems';
import type { RecordModel } from '../records/record-fields';
import { JsonValue } from '../types/scalars';

/** A subscription to the records of a read model. */
export type LiveField = {
  /** Name of the field, such as `runUpdated`. */
  readonly field: string;
  readonly description: string;
  /** The list that shows these records. Who may read it may subscribe. */
  readonly route: string;
  /** Category of their streams; the rest of a stream's name is the id of the record. */
  readonly category: string;
  /** Types of events that are told of; all when absent. */
  readonly types?: readonly string[];
  /** The argument that asks for one record alone, such as `runId`; who may read that record may subscribe to it. */
  readonly one?: string;
};

export type LiveKit = {
  readonly store: Pick<EventStore, 'follow' | 'head'>;
  readonly calls: RestCalls;
  readonly operations: readonly Operation[];
  readonly records: readonly (RecordModel & { readonly type: GraphQLOutputType })[];
  /** The list of all events of a site. */
  readonly eventsRoute: string;
  readonly limits: Limits;
  readonly stopping: AbortSignal;
};

const text = new GraphQLNonNull(GraphQLString);

const AppendedEvent = new GraphQLObjectType<Recorded, GraphqlContext>({
  name: 'AppendedEvent',
  description: 'An event as it was appended to the log',
  fields: {
    position: { type: text, resolve: ({ position }) => String(position) },
    streamId: { type: text },
    version: { type: new GraphQLNonNull(GraphQLInt) },
    eventId: { type: text },
    type: { type: text },
    siteId: { type: text },
    occurredAt: { type: text },
    actor: { type: JsonValue, resolve: ({ metadata }) => metadata.actor },
    data: { type: JsonValue },
    metadata: { type: JsonValue },
  },
});

/** What subscribers may ask for: changes of records, and the events themselves. */
export const subscriptionType = (live: readonly LiveField[], kit: LiveKit): GraphQLObjectType<unknown, GraphqlContext> =>
  new GraphQLObjectType({ name: 'Subscription', fields: { ...Object.fromEntries(live.map((one) => [one.field, recordsField(one, kit)])), eventAppended: eventsField(kit) } });

const recordsField = (live: LiveField, kit: LiveKit): GraphQLFieldConfig<unknown, GraphqlContext, Arguments> => {
  const { route, description, category, types, one } = live;
  const model = kit.records.find((each) => each.route === route);
  if (!model) throw new Error(`The subscription ${live.field} is about records of ${route}, which is no read model of GraphQL`);
  const list = routeOf(kit.operations, route);
  const single = one === undefined ? undefined : kit.operations.find(({ method, path }) => method === 'GET' && path === `${route}/{${one}}`);
  return {
    type: model.type,
    description,
    extensions: costing('record'),
    args: one === undefined ? {} : { [one]: { type: GraphQLID, description: 'Only this one' } },
    resolve: (source) => source,
    subscribe: async (_source, given, { session }) => {
      const id = one === undefined ? undefined : ((given[one] as string | null | undefined) ?? undefined);
      const admitted = () => kit.calls.call(id !== undefined && single ? single : list, id === undefined ? { first: 1 } : given, session);
      const filter = { siteId: session.caller.siteId, categories: [category], ...(types !== undefined && { types }), ...(id !== undefined && { streamId: `${category}-${id}` }) };
      return subscribed(kit, session, admitted, filter, undefined, (pages, signal) => liveRecords(pages, model.projection, session.records, signal));
    },
  };
};

const eventsField = (kit: LiveKit): GraphQLFieldConfig<unknown, GraphqlContext, Arguments> => {
  const list = routeOf(kit.operations, kit.eventsRoute);
  return {
    type: new GraphQLNonNull(AppendedEvent),
    description: 'Events of the site as they are appended; begins with the next one, or behind a position',
    args: {
      after: { type: GraphQLString, description: 'A log position: begins with what was appended behind it' },
      streamId: { type: GraphQLString },
      types: { type: new GraphQLList(new GraphQLNonNull(GraphQLString)) },
    },
    resolve: (source) => source,
    subscribe: (_source, given, { session }) => {
      const { after, streamId, types } = given as { readonly after?: string | null; readonly streamId?: string | null; readonly types?: readonly string[] | null };
      const filter = { siteId: session.caller.siteId, ...(streamId && { streamId }), ...(types && { types }) };
      return subscribed(kit, session, () => kit.calls.call(list, { first: 1 }, session), filter, after, eventsOf);
    },
  };
};

async function* eventsOf(pages: AsyncIterable<readonly Recorded[]>): AsyncGenerator<Recorded> {
  for await (const page of pages) yield* page;
}

/** Opens a subscription if the read that stands behind it is open to the caller, and looks again while it is told something. */
const subscribed = async <Value>(
  { store, limits, stopping }: LiveKit,
  session: Session,
  admitted: () => Promise<unknown>,
  filter: EventFilter,
  from: string | null | undefined,
  told: (pages: AsyncIterable<readonly Recorded[]>, signal: AbortSignal) => AsyncIterable<Value>,
): Promise<AsyncIterableIterator<Value>> => {
  if (session.live >= limits.subscriptions)
    throw shown(new ProblemException(503, 'OVERLOADED', `A connection takes ${limits.subscriptions} subscriptions; end one of them or open another connection.`, { kept: false }));
  session.live++;
  const ended = () => void session.live--;
  try {
    await admitted();
    const after = positionOf(from) ?? (await store.head());
    const open = (signal: AbortSignal) => showing(told(stillAdmitted(store.follow(after, { filter, signal }), admitted, limits.trustedMs), signal));
    return liveIterator(open, stopping, ended);
  } catch (error) {
    ended();
    throw shown(error);
  }
};

async function* showing<Value>(values: AsyncIterable<Value>): AsyncGenerator<Value> {
  try {
    yield* values;
  } catch (error) {
    throw shown(error);
  }
}

async function* stillAdmitted(pages: AsyncIterable<readonly Recorded[]>, admitted: () => Promise<unknown>, trustedMs: number): AsyncGenerator<readonly Recorded[]> {
  let seen = performance.now();
  for await (const page of pages) {
    if (performance.now() - seen > trustedMs) {
      await admitted();
      seen = performance.now();
    }
    yield page;
  }
}

const routeOf = (operations: readonly Operation[], route: string): Operation => {
  const found = operations.find(({ method, path }) => method === 'GET' && path === route);
  if (!found) throw new Error(`${route} is no read of the API`);
  return found;
};

const positionOf = (after: string | null | undefined): bigint | undefined => {
  if (after === undefined || after === null) return undefined;
  const read = positionParam.safeParse(after);
  if (!read.success) throw ProblemException.invalid(read.error.issues.map(({ message }) => ({ pointer: '/after', detail: message })));
  return read.data;
};
