import { describe, expect, it } from '@jest/globals';
import { categoryOf, type Decision } from '@app/kernel';
import { context, robot, specification } from '@app/kernel/testing';
import fc from 'fast-check';
import { createSubscription } from './create-subscription/create-subscription.decide';
import { CreateSubscriptionBody } from './create-subscription/create-subscription.command';
import { deleteSubscription } from './delete-subscription/delete-subscription.decide';
import { consumerOf, filterOf, retryMs } from './deliver/round.policy';
import { replaySubscription } from './replay-subscription/replay-subscription.decide';
import { subscriptionEvents, type KeptTarget } from './subscription.events';
import { AT, created, deleted, replayed, SUBSCRIPTION } from './subscription.examples';
import { subscription, type Subscription } from './subscription.state';
import { subscriptionView } from './subscription-list/subscription.view';
import { subscriptions } from './subscription-list/subscriptions.projection';

const given = specification(subscription);
const HEAD = 99n;
const target = { type: 'webhook', url: 'https://search.example/in', secret: null } as const;
const body = (more: object = {}) => CreateSubscriptionBody.parse({ name: 'Search index', target: { type: 'webhook', url: target.url }, ...more });
const create = (more: object = {}, by = context(), others = 0) => (state: Subscription) => createSubscription({ subscription: state }, body(more), { subscriptionId: SUBSCRIPTION, target, head: HEAD, others, hasBroker: true }, by);
const replay = (fromPosition: string, by = context()) => (state: Subscription) => replaySubscription({ subscription: state }, { fromPosition }, HEAD, by);
const remove = (by = context()) => (state: Subscription) => deleteSubscription({ subscription: state }, by);
const made = { subscriptionId: SUBSCRIPTION, siteId: 'site_a', name: 'Search index', target, filter: {}, at: AT };

describe('A subscription', () => {
  it('[LOG-071] lives on a stream that knows its creation, its replays and its deletion', () => {
    expect(Object.keys(subscriptionEvents)).toEqual(['SubscriptionCreated', 'SubscriptionReplayed', 'SubscriptionDeleted']);
    expect(new Set(Object.values(subscriptionEvents).map(({ category }) => category))).toEqual(new Set([categoryOf(`subscription-${SUBSCRIPTION}`)]));
  });

  it('begins behind what the log holds, or at a position that is in it', () => {
    given().when(create()).then({ subscription: [{ type: 'SubscriptionCreated', data: { ...made, fromPosition: '100' } }] });
    given().when(create({ fromPosition: '1', types: ['ItemCreated'] })).then({ subscription: [{ type: 'SubscriptionCreated', data: { ...made, filter: { types: ['ItemCreated'] }, fromPosition: '1' } }] });
    given().when(create({ fromPosition: '101' })).thenRejected('VALIDATION_FAILED');
    for (const others of [0, 100]) given(created()).when(create({}, context(), others)).then({ subscription: [] });
    given().when(create({}, context(), 99)).then({ subscription: [{ type: 'SubscriptionCreated', data: { ...made, fromPosition: '100' } }] });
    given().when(create({}, context(), 100)).thenRejected('CONFLICT');
  });

  it('goes to the message broker where there is one, under the name of its site, and to syslog', () => {
    const topic = { type: 'nats', topic: 'search.index' } as const;
    const to = (kept: KeptTarget, hasBroker: boolean) => (state: Subscription) => createSubscription({ subscription: state }, body({ target: kept, format: 'cef' }), { subscriptionId: SUBSCRIPTION, target: kept, head: HEAD, others: 0, hasBroker }, context());
    given().when(to(topic, false)).thenRejected('UNAVAILABLE');
    for (const kept of [topic, { type: 'syslog', address: 'tls://siem.example:6514' } as const]) {
      given().when(to(kept, kept.type === 'nats')).then({ subscription: [{ type: 'SubscriptionCreated', data: { ...made, target: kept, format: 'cef', fromPosition: '100' } }] });
    }
    const state = subscription.evolve(subscription.initial, created({ target: topic }));
    if (state.status === 'none') throw new Error('Not made');
    expect(subscriptionView(state)).toMatchObject({ target: { ...topic, subject: 'cdc.site_a.search.index' }, format: 'cloudevents' });
  });

  it('takes no topic that leads out of its site or to more than one subject, and no address that is more than a receiver', () => {
    const takes = (to: object) => CreateSubscriptionBody.safeParse({ name: 'x', target: to }).success;
    const topics = ['a', 'search.index', 'A-1_b.c', 'x'.repeat(100)];
    expect(topics.filter((topic) => !takes({ type: 'nats', topic }))).toEqual([]);
    const wrong = ['', '.', 'a.', '.a', 'a..b', '*', 'a.*', '>', 'a.>', 'a b', 'a\n', 'a\0', 'ü', '$JS.API', 'x'.repeat(101), `a/${'x'}`];
    expect(wrong.filter((topic) => takes({ type: 'nats', topic }))).toEqual([]);
    fc.assert(fc.property(fc.string(), (topic) => {
      const isTaken = takes({ type: 'nats', topic });
      return !isTaken || /^[\w-]+(\.[\w-]+)*$/.test(topic);
    }));
    const addresses = ['tls://siem.example:6514', 'tcp://127.0.0.1:601', 'tls://[2001:db8::1]:6514'];
    expect(addresses.filter((address) => !takes({ type: 'syslog', address }))).toEqual([]);
    const others = ['udp://a.example:514', 'tls://a.example', 'tls://a.example:0', 'tls://a.example:70000', 'tls://:6514', 'tls://a.example:6514/', 'tls://a.example:6514/x', 'tls://me:pw@a.example:6514', 'tls://me@a.example:6514', 'tls://a.example:6514?x', 'tls://a.example:6514#x', 'http://a.example:80', 'tls://a b:6514', `tls://${'a'.repeat(300)}:6514`];
    expect(others.filter((address) => takes({ type: 'syslog', address }))).toEqual([]);
    for (const extra of [{ type: 'nats', topic: 'a', subject: 'cdc.site_b.a' }, { type: 'syslog', address: 'tls://a.example:1', secret: 'secret://x' }]) expect(takes(extra)).toBe(false);
  });

  it('is replayed from any position of the log, as often as somebody wants', () => {
    const event = (fromPosition: string) => ({ subscription: [{ type: 'SubscriptionReplayed' as const, data: { fromPosition, at: AT } }] });
    given(created()).when(replay('1')).then(event('1'));
    given(created(), replayed('7')).when(replay('7')).then(event('7'));
    given(created()).when(replay('100')).then(event('100'));
    given(created()).when(replay('101')).thenRejected('VALIDATION_FAILED');
  });

  it('is not there for another site, and gone once it was deleted', () => {
    const elsewhere = context({ siteId: 'site_b' });
    for (const act of [replay('1', elsewhere), remove(elsewhere)]) given(created()).when(act).thenRejected('FORBIDDEN');
    for (const act of [replay('1'), remove()]) {
      given().when(act).thenRejected('FORBIDDEN');
      given(created(), deleted).when(act).thenRejected('GONE');
    }
    given(created()).when(remove()).then({ subscription: [{ type: 'SubscriptionDeleted', data: { at: AT } }] });
  });

  it('is no agent\'s to make, replay or delete beside the door', () => {
    const code = (decision: Decision<unknown>) => (decision.ok ? 'ok' : decision.rejection.code);
    const live = subscription.evolve(subscription.initial, created());
    const acts = (by: Parameters<typeof context>[0]) => [create({}, context(by))(subscription.initial), replay('1', context(by))(live), remove(context(by))(live)].map(code);
    expect(acts({ actor: robot })).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN']);
    expect(acts({ actor: robot, runId: 'run_1' })).toEqual(['ok', 'ok', 'ok']);
  });

  it('takes addresses and filters that can be kept, and no others', () => {
    const takes = (more: object) => CreateSubscriptionBody.safeParse({ name: 'x', target: { type: 'webhook', url: 'https://a.example' }, ...more }).success;
    expect(takes({})).toBe(true);
    for (const url of ['ftp://a.example', 'a.example', 'https://ada:pw@a.example/', 'https://ada@a.example', 'https://a.example/?token=abc-def', `https://a.example/${'x'.repeat(2_000)}`]) expect([url, takes({ target: { type: 'webhook', url } })]).toEqual([url, false]);
    expect(takes({ target: { type: 'webhook', url: 'https://a.example/in@home', secret: 'secret://hook' } })).toBe(true);
    for (const wrong of [{ target: { type: 'webhook', url: 'https://a.example', secret: 'hush' } }, { target: { type: 'pigeon', url: 'https://a.example' } }, { types: [] }, { types: ['*'] }, { categories: ['Item'] }, { name: ' ' }]) {
      expect([wrong, takes(wrong)]).toEqual([wrong, false]);
    }
    for (const fromPosition of ['0', '-1', '1.5', '', '9'.repeat(19), 5]) expect([fromPosition, takes({ fromPosition })]).toEqual([fromPosition, false]);
  });

  it('shows where events go, and never what they are signed with', () => {
    const state = [created(), replayed('7')].reduce(subscription.evolve, subscription.initial);
    if (state.status === 'none') throw new Error('Not made');
    expect(JSON.stringify(subscriptionView(state))).not.toContain('c2VhbGVk');
    expect(subscriptionView(state)).toMatchObject({ id: SUBSCRIPTION, target, types: ['ItemCreated', 'ItemPatched'], categories: ['item'], fromPosition: '7', replays: 1 });
  });

  it('is listed until it is deleted', () => {
    const rows = [created(), replayed(), deleted].reduce<(ReturnType<NonNullable<(typeof subscriptions)['on']['SubscriptionCreated']>>)[]>((all, event) => [...all, subscriptions.on[event.type]!(all.at(-1) ?? null, event as never, {} as never)], []);
    expect(rows.map((row) => row !== null)).toEqual([true, true, false]);
  });
});

describe('A round of deliveries', () => {
  it('has a consumer of its own, and sees its own site alone whatever is asked for', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('7', '9', '11'), { maxLength: 6 }), (positions) => {
        const history = positions.map((position) => replayed(position));
        const states = history.reduce<Subscription[]>((all, event) => [...all, subscription.evolve(all.at(-1)!, event)], [subscription.evolve(subscription.initial, created())]);
        const names = states.map((state) => (state.status === 'none' ? '' : consumerOf(state)));
        expect(new Set(names).size).toBe(positions.length + 1);
        for (const state of states) expect(state.status !== 'none' && filterOf(state)).toEqual({ siteId: 'site_a', types: ['ItemCreated', 'ItemPatched'], categories: ['item'] });
      }),
    );
  });

  it('waits a second, twice as long each time, and a minute at most', () => {
    expect([1, 2, 3, 6, 7, 100, 1_000_000].map(retryMs)).toEqual([1_000, 2_000, 4_000, 32_000, 60_000, 60_000, 60_000]);
  });
});

