import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testServer, type Answer, type Api, type Body, type TestServer } from './server';

/** In all; a thousand of them, without HTTP in between, are in the specs of the library. */
const RACES = 90;

type Person = Api & { readonly id: string };

describe('Content under races', () => {
  let server: TestServer;
  let admin: Api;
  let editors: readonly [Person, Person];
  let agent: Api & { readonly id: string };

  beforeAll(async () => {
    server = await testServer();
    admin = server.admin;
    const person = (name: string) => server.newKey({ name, kind: 'human', capabilities: ['items:read', 'items:write', 'items:update', 'items:delete'] });
    editors = [await person('Ada'), await person('Bea')];
    agent = await server.newKey({ name: 'robot', capabilities: ['items:read', 'items:write', 'items:update'] });
  });
  afterAll(async () => {
    const verdict = (await admin('GET', 'agent/replay/verify')).text.split('\n\n').findLast((sent) => sent.includes('event: verdict'));
    await server.close();
    if (!verdict?.includes('"ok":true')) throw new Error(`The log of this session does not replay: ${verdict?.slice(0, 2_000)}`);
  });

  const historyOf = async (id: string): Promise<Body[]> => (await server.log()).filter(({ stream_id: stream }: Body) => stream === `item-${id}`);
  const open = async (): Promise<(tool: string, args: Body) => Promise<Body>> => {
    const { runId } = (await agent('POST', 'agent/goals', { title: 'Race', agentName: 'robot', budget: { maxToolCalls: 5_000, timeoutMs: 600_000 } })).body.data;
    return async (tool, args) => (await agent('POST', `agent/runs/${runId as string}/tool-calls`, { tool, arguments: args })).body.data as Body;
  };

  it('lose no update when two editors over HTTP and an agent at the door race on one item', async () => {
    const fields = [...['count', 'ada', 'bea', 'robot'].map((name) => ({ name, type: 'integer' })), { name: 'shared', type: 'text' }];
    await admin('POST', 'collections', { name: 'counters', fields });
    const { id } = (await admin('POST', 'items/counters', { data: { count: 0 } })).body.data as { id: string };
    const call = await open();
    const [ada, bea] = editors;
    type Written = { readonly ok: boolean; readonly item?: Body; readonly code?: string };
    const byHand = (who: Api) => async (data: Body, ifMatch?: number): Promise<Written> => {
      const { status, body }: Answer = await who('PATCH', `items/counters/${id}`, { data }, ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` });
      return status === 200 ? { ok: true, item: body.data as Body } : { ok: false, code: body.code as string };
    };
    const byCall = async (data: Body, ifMatch?: number): Promise<Written> => {
      const answer = await call('updateItem', { collection: 'counters', id, data, ...(ifMatch !== undefined && { ifMatch }) });
      return answer.status === 'executed' ? { ok: true, item: answer.result as Body } : { ok: false, code: `${answer.status as string} ${(answer.reason as string | undefined) ?? ''} ${(answer.error as string | undefined) ?? ''}` };
    };
    const writers = [['ada', byHand(ada)], ['bea', byHand(bea)], ['robot', byCall]] as const;
    const done: Record<string, number> = {};
    const refused: string[] = [];
    let known = (await ada('GET', `items/counters/${id}`)).body.data as Body;
    let won = 0;
    let pinned = 0;
    for (let race = 0; race < RACES; race++) {
      if (race % 3 === 0) {
        // All three add one to what they have seen: one of them wins, and the others are told.
        const answers = await Promise.all(writers.map(([, write]) => write({ count: (known.data.count as number) + 1 }, known.version as number)));
        const winners = answers.filter(({ ok }) => ok);
        expect([race, winners.length]).toEqual([race, 1]);
        refused.push(...answers.flatMap(({ code }) => (code === undefined ? [] : [code])));
        known = winners[0]!.item!;
        won++;
      } else if (race % 3 === 1) {
        // Each writes what is its own, without having looked: all of it is there afterwards.
        const answers = await Promise.all(writers.map(([name, write]) => write({ [name]: race })));
        expect([race, answers.every(({ ok }) => ok)]).toEqual([race, true]);
        for (const [name] of writers) done[name] = race;
        known = answers.map(({ item }) => item!).toSorted((a, b) => (b.version as number) - (a.version as number))[0]!;
        expect(known.data).toMatchObject(done);
      } else {
        // One keeps a field while the agent writes it, and the other goes on: the pin is before the agent's write, or after it.
        const [, edited, agents] = await Promise.all([ada('POST', `items/counters/${id}/pins`, { fields: ['shared'] }), byHand(bea)({ bea: race }), byCall({ shared: `race ${race}` })]);
        expect(edited.ok).toBe(true);
        done['bea'] = race;
        if (!agents.ok) {
          pinned++;
          expect(agents.code).toMatch(/pinned_by_human|PINNED_BY_HUMAN/);
        }
        await ada('DELETE', `items/counters/${id}/pins`);
        known = (await ada('GET', `items/counters/${id}`)).body.data as Body;
        if (agents.ok) expect(known.data.shared).toBe(`race ${race}`);
        else expect(known.data.shared).not.toBe(`race ${race}`);
      }
    }
    // What was answered is what there is: every update that won, once, and in the history each over the very values it says it replaced.
    expect(known.data).toMatchObject({ ...done, count: won });
    expect(refused.length).toBe(won * 2);
    expect(refused.every((code) => /CONFLICT/.test(code))).toBe(true);
    const values: Record<string, unknown> = {};
    const pins = new Set<string>();
    const authors = new Set<string>();
    for (const { type, data, metadata } of await historyOf(id)) {
      if (type === 'FieldPinned') pins.add(data.field as string);
      if (type === 'FieldUnpinned') pins.delete(data.field as string);
      if (type === 'ItemCreated') Object.assign(values, data.data);
      if (type !== 'ItemPatched') continue;
      authors.add(metadata.actor.id as string);
      for (const [field, value] of Object.entries(data.patch as object)) {
        expect(data.before[field] ?? null).toEqual(values[field] ?? null);
        if (metadata.actor.kind === 'agent') expect(pins.has(field)).toBe(false);
        values[field] = value;
      }
    }
    expect(known.data).toEqual(values);
    expect(authors).toEqual(new Set([...editors.map((editor) => editor.id), agent.id]));
    process.stdout.write(`races: ${RACES}, ${won} won by one of three, ${pinned} agent's writes lost to a pin\n`);
  }, 120_000);

  it('leave no reference without its item when it is deleted in the moment that another refers to it', async () => {
    await admin('POST', 'collections', { name: 'authors', fields: [{ name: 'name', type: 'text' }] });
    await admin('POST', 'collections', { name: 'books', fields: [{ name: 'title', type: 'text' }, { name: 'author', type: 'text' }] });
    expect((await admin('POST', 'collections/books/relations', { name: 'by', field: 'author', to: 'authors' })).status).toBe(201);
    const call = await open();
    const [ada, bea] = editors;
    const outcomes = { deleted: 0, kept: 0 };
    for (let race = 0; race < 40; race++) {
      const author = (await admin('POST', 'items/authors', { data: { name: `Author ${race}` } })).body.data.id as string;
      const refer = race % 2 === 0
        ? async () => (await bea('POST', 'items/books', { data: { title: `Book ${race}`, author } })).status === 201
        : async () => (await call('createItems', { collection: 'books', items: [{ title: `Book ${race}` }, { title: `Sequel ${race}`, author }] })).status === 'executed';
      const [deletion, referred] = await Promise.all([ada('DELETE', `items/authors/${author}`), refer()]);
      expect([race, deletion.status === 200, referred]).toEqual([race, !referred, referred]);
      const there = (await ada('GET', `items/authors/${author}`)).status;
      expect([race, there]).toEqual([race, referred ? 200 : 410]);
      outcomes[referred ? 'kept' : 'deleted']++;
    }
    process.stdout.write(`races: of 40 deletions beside a new reference ${outcomes.deleted} went through and ${outcomes.kept} were refused\n`);
  });

  it('[CONTENT-024] ask the editor after a pinning edit whether it was a one-off exception or a new rule, and save without waiting for the answer', async () => {
    const [ada] = editors;
    await admin('POST', 'collections', { name: 'posts', fields: [{ name: 'title', type: 'text' }, { name: 'body', type: 'longtext' }] });
    const newPost = async () => (await admin('POST', 'items/posts', { data: { title: 'As it was' } })).body.data.id as string;
    const [free, id, other] = [await newPost(), await newPost(), await newPost()];
    // Nobody looks after the collection yet: nothing is pinned and nobody is asked.
    expect((await ada('PATCH', `items/posts/${free}`, { data: { title: 'Freely' } })).body.data.question).toBeUndefined();
    const intentId = (await admin('POST', 'agent/intents', { name: 'Titles', collection: 'posts', rules: [{ type: 'required_fields', fields: ['title'] }], schedule: '0 3 1 1 *' })).body.data.id as string;

    const saved = await ada('PATCH', `items/posts/${id}`, { data: { title: 'Mine', body: 'Mine, too' } });
    expect([saved.status, saved.body.data.question]).toEqual([200, { revision: 2, fields: ['body', 'title'], intents: [intentId] }]);
    // The edit is done, whatever comes of the question: it is live, pinned, in the history, and others go on.
    expect((await ada('GET', `items/posts/${id}`)).body.data).toMatchObject({ data: { title: 'Mine', body: 'Mine, too' } });
    expect((await historyOf(id)).map(({ type }) => type as string)).toEqual(['ItemCreated', 'ItemPatched', 'FieldPinned', 'FieldPinned']);
    const edits = async (item: string) => ((await ada('GET', `items/posts/${item}/pins`)).body.data as Body[]).map(({ field, edit }) => [field, edit]);
    const open = { revision: 2, intents: [intentId], meaning: null };
    expect(await edits(id)).toEqual([['body', open], ['title', open]]);
    // What is pinned already is nobody's question any more.
    expect((await ada('PATCH', `items/posts/${id}`, { data: { title: 'Mine again' } })).body.data.question).toBeUndefined();

    const answered = await ada('POST', `items/posts/${id}/pins/answer`, { revision: 2, answer: 'rule', note: 'Titles are short from now on' });
    expect([answered.status, answered.body.data]).toEqual([200, { revision: 2, answer: 'rule', fields: ['body', 'title'], intents: [intentId] }]);
    expect(await edits(id)).toEqual([['body', { ...open, meaning: 'rule' }], ['title', { ...open, meaning: 'rule' }]]);
    const recorded = (await historyOf(id)).at(-1)!;
    expect(recorded).toMatchObject({
      type: 'EditExplained', metadata: { actor: { kind: 'human', id: ada.id } },
      data: { revision: 2, meaning: 'rule', intents: [intentId], values: { title: 'Mine again', body: 'Mine, too' }, note: 'Titles are short from now on', by: ada.id },
    });
    expect((await ada('POST', `items/posts/${id}/pins/answer`, { revision: 2, answer: 'rule' })).status).toBe(200);
    expect((await historyOf(id)).at(-1)!.position).toBe(recorded.position);
    // Whoever looks after the intent hears of the rule.
    const { data: heard } = (await admin('GET', 'agent/activity?kind=rule.suggested', undefined, { 'x-min-position': String(await server.head()) })).body;
    expect(heard).toMatchObject([{ subjectId: id, actorId: ada.id, detail: { collection: 'posts', intents: [intentId], values: { title: 'Mine again' }, note: 'Titles are short from now on' } }]);

    // A one-off exception: this item stays a person's, and nobody is told to change the rule.
    await ada('PATCH', `items/posts/${other}`, { data: { title: 'Only here' } });
    expect((await ada('POST', `items/posts/${other}/pins/answer`, { revision: 2, answer: 'exception' })).body.data).toMatchObject({ answer: 'exception', fields: ['title'] });
    const call = await openRun();
    expect(await call('updateItem', { collection: 'posts', id: other, data: { title: 'Theirs' } })).toMatchObject({ status: 'denied', reason: 'pinned_by_human' });
    expect((await admin('GET', 'agent/activity?kind=rule.suggested', undefined, { 'x-min-position': String(await server.head()) })).body.data).toHaveLength(1);
    // Only people answer, and only what was asked.
    const refusals = [[ada, free, 2, 409], [ada, other, 1, 409], [agent, other, 2, 403]] as const;
    for (const [who, item, revision, status] of refusals) expect([item, (await who('POST', `items/posts/${item}/pins/answer`, { revision, answer: 'rule' })).status]).toEqual([item, status]);
    expect((await ada('POST', `items/posts/${other}/pins/answer`, { revision: 2, answer: 'perhaps' })).status).toBe(422);
    await ada('DELETE', `items/posts/${other}/pins`);
    expect((await ada('POST', `items/posts/${other}/pins/answer`, { revision: 2, answer: 'rule' })).body.code).toBe('CONFLICT');
  });

  const openRun = open;
});
