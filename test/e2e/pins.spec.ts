import { describe, expect, it } from '@jest/globals';
import { jobs } from './jobs';
import { type Body } from './server';

describe('Pins over HTTP', () => {
  const { server, agent, open, eventsOf, newItem } = jobs();
  const pinsAt = (id: string) => `items/products/${id}/pins`;
  const person = () => server().newKey({ name: 'Ada', kind: 'human', capabilities: ['items:read', 'items:update', 'approvals:decide'] });

  it('[CONTENT-019] denies an agent\'s write to a pinned field, and applies nothing of it', async () => {
    const ada = await person();
    const { call, runId } = await open();
    const id = await newItem(call, 'Ours');
    expect((await ada('POST', pinsAt(id), { fields: ['title'] })).body.data).toMatchObject([{ field: 'title', pinnedBy: ada.id }]);
    const answer = await call('updateItem', { collection: 'products', id, data: { title: 'Theirs', price: 3 } });
    expect(answer.data).toMatchObject({ status: 'denied', reason: 'pinned_by_human', rule: 'pins', facts: { code: 'PINNED_BY_HUMAN', fields: ['title'] } });
    expect((await eventsOf(runId)).at(-1)).toMatchObject({ type: 'ToolCallDenied', data: { inputs: { pinnedFields: ['title'] } } });
    expect((await ada('GET', `items/products/${id}`)).body.data.data).toEqual({ sku: 'T-1', title: 'Ours' });
    expect((await call('updateItem', { collection: 'products', id, data: { price: 3 } })).data.status).toBe('executed');
    expect((await call('deleteItem', { collection: 'products', id })).data).toMatchObject({ status: 'denied', reason: 'pinned_by_human' });
    // A person goes on as before.
    expect((await ada('PATCH', `items/products/${id}`, { data: { title: 'Ours still' } })).status).toBe(200);
  });

  it('lets no approval override a pin that was made meanwhile', async () => {
    const ada = await person();
    const { call } = await open();
    const id = await newItem(call, 'Ours');
    const asked = await call('deleteItem', { collection: 'products', id });
    await ada('POST', pinsAt(id), { fields: ['title'] });
    const decided = await ada('POST', `agent/approvals/${asked.data.approvalId}/decide`, { decision: 'approved' });
    expect(decided.body.data.call).toMatchObject({ status: 'denied', reason: 'pinned_by_human' });
    expect((await ada('GET', `items/products/${id}`)).status).toBe(200);
  });

  it('[CONTENT-021] [CONTENT-022] [CONTENT-023] lists pins and releases one or all of them, on the record', async () => {
    const ada = await person();
    const { call } = await open();
    const id = await newItem(call);
    await ada('POST', pinsAt(id), { fields: ['title', 'price', 'sku'] });
    await ada('POST', pinsAt(id), { fields: ['title'] });
    const fieldsOf = async () => ((await agent()('GET', pinsAt(id))).body.data as Body[]).map(({ field, pinnedBy, pinnedAt }) => [field, pinnedBy, typeof pinnedAt]);
    expect(await fieldsOf()).toEqual([['price', ada.id, 'string'], ['sku', ada.id, 'string'], ['title', ada.id, 'string']]);
    expect((await ada('DELETE', `${pinsAt(id)}/title`)).body.data).toMatchObject([{ field: 'price' }, { field: 'sku' }]);
    expect((await ada('DELETE', `${pinsAt(id)}/title`)).status).toBe(200);
    expect((await ada('DELETE', pinsAt(id))).body.data).toEqual([]);
    expect(await fieldsOf()).toEqual([]);
    expect((await call('updateItem', { collection: 'products', id, data: { title: 'Free again' } })).data.status).toBe('executed');
    const recorded = (await server().log()).filter((event: Body) => event.stream_id === `item-${id}` && /^Field/.test(event.type as string));
    expect(recorded.map((event: Body) => [event.type, event.data.field, event.data.by, event.metadata.actor])).toEqual(
      [['FieldPinned', 'title'], ['FieldPinned', 'price'], ['FieldPinned', 'sku'], ['FieldUnpinned', 'title'], ['FieldUnpinned', 'price'], ['FieldUnpinned', 'sku']]
        .map((each) => [...each, ada.id, { kind: 'human', id: ada.id }]),
    );
    expect(recorded.every((event: Body) => !Number.isNaN(Date.parse(event.data.at as string)))).toBe(true);
  });

  it('lets only people pin and release, and only fields that there are', async () => {
    const ada = await person();
    const { call } = await open();
    const id = await newItem(call);
    const service = await server().newKey({ kind: 'service', capabilities: ['items:update'] });
    for (const key of [agent(), service]) {
      expect((await key('POST', pinsAt(id), { fields: ['title'] })).body.code).toBe('FORBIDDEN');
      expect((await key('DELETE', pinsAt(id))).body.code).toBe('FORBIDDEN');
    }
    expect((await ada('POST', pinsAt(id), { fields: ['title', 'colour'] })).body).toMatchObject({ code: 'VALIDATION_FAILED', facts: { errors: [{ pointer: '/fields/1' }] } });
    expect((await agent()('GET', pinsAt(id))).body.data).toEqual([]);
    expect((await ada('POST', pinsAt('item_00000000000070008000000000000000'), { fields: ['title'] })).body.code).toBe('FORBIDDEN');
  });
});
