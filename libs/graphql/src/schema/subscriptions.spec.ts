import { describe, expect, it } from '@jest/globals';
import { GraphQLObjectType, GraphQLSchema, GraphQLString, parse, subscribe, type ExecutionResult } from 'graphql';
import type { EventFilter } from '@app/event-store';
import { ProblemException } from '@app/http';
import type { Recorded } from '@app/kernel';
import type { Operation } from '../api/operations';
import type { Session } from '../context';
import { LIMITS } from '../limits/costs';
import { subscriptionType } from './subscriptions';

const eventAt = (position: bigint) => ({ position, streamId: 'run-run_1', version: 1, eventId: 'e', type: 'RunStarted', siteId: 'site_a', occurredAt: 't', data: {}, metadata: { actor: {} } }) as unknown as Recorded;
const list = { method: 'GET', path: '/events', parameters: [] } as unknown as Operation;

/** A log that gives one page an event, and a door that lets in so often. */
const opened = (opens: number, trustedMs: number) => {
  const asked: { readonly after: bigint; readonly filter: EventFilter | undefined }[] = [];
  let looks = 0;
  const store = {
    head: () => Promise.resolve(7n),
    async *follow(after: bigint, { filter }: { readonly filter?: EventFilter } = {}) {
      asked.push({ after, filter });
      for (let n = 1n; n <= 5n; n++) yield [eventAt(after + n)];
    },
  };
  const call = () => (++looks > opens ? Promise.reject(ProblemException.unauthenticated()) : Promise.resolve({}));
  const subscription = subscriptionType([], { store: store as never, calls: { call } as never, operations: [list], records: [], eventsRoute: '/events', limits: { ...LIMITS, trustedMs }, stopping: new AbortController().signal });
  const schema = new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields: { a: { type: GraphQLString } } }), subscription });
  const session = { caller: { siteId: 'site_a' }, live: 0 } as unknown as Session;
  return { asked, session, open: (source: string) => subscribe({ schema, document: parse(source), contextValue: { session } }) };
};

const positionsOf = async (told: AsyncIterable<ExecutionResult>) => {
  const positions: unknown[] = [];
  try {
    for await (const { data } of told) positions.push((data as { eventAppended: { position: string } }).eventAppended.position);
  } catch (error) {
    positions.push((error as { extensions: { code: string } }).extensions.code);
  }
  return positions;
};

describe('A subscription', () => {
  it('begins at the head, or behind a position, with the events of the site that are asked for', async () => {
    const { asked, session, open } = opened(9, 1e9);
    expect(await positionsOf((await open('subscription { eventAppended { position } }')) as AsyncIterable<ExecutionResult>)).toEqual(['8', '9', '10', '11', '12']);
    await positionsOf((await open('subscription { eventAppended(after: "3", types: ["A"], streamId: "s") { position } }')) as AsyncIterable<ExecutionResult>);
    expect(asked).toEqual([{ after: 7n, filter: { siteId: 'site_a' } }, { after: 3n, filter: { siteId: 'site_a', types: ['A'], streamId: 's' } }]);
    expect(session.live).toBe(0);
  });

  it('does not begin for whom the read behind it is closed, nor behind what is no position', async () => {
    const closed = opened(0, 1e9);
    expect([((await closed.open('subscription { eventAppended { position } }')) as ExecutionResult).errors![0]!.extensions['code'], closed.session.live]).toEqual(['UNAUTHENTICATED', 0]);
    const { open } = opened(9, 1e9);
    expect(((await open('subscription { eventAppended(after: "-1") { position } }')) as ExecutionResult).errors![0]!.extensions['code']).toBe('VALIDATION_FAILED');
  });

  it('ends for whom it has been closed meanwhile', async () => {
    const { session, open } = opened(3, -1);
    expect(await positionsOf((await open('subscription { eventAppended { position } }')) as AsyncIterable<ExecutionResult>)).toEqual(['8', '9', 'UNAUTHENTICATED']);
    expect(session.live).toBe(0);
  });
});
