import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CollectionView, ItemRevisionView, ItemVersionView, ItemView, Relation, VersionComparison } from './contract';
import { runningContent, type RunningContent } from './testing/running-content';

const text = (name: string) => ({ name, type: 'text' });

describe('Collections, relations, revisions and versions', () => {
  let content: RunningContent;
  const collection = (name: string, ...fields: unknown[]) => content.send<CollectionView>('POST', '/collections', { body: { name, fields: [text('title'), ...fields] } });
  const create = async (name: string, data: unknown) => (await content.send<ItemView>('POST', `/items/${name}`, { body: { data } })).data;
  const relate = (from: string, name: string, field: string, to: string) => content.send<Relation>('POST', `/collections/${from}/relations`, { body: { name, field, to } });

  beforeAll(async () => {
    content = await runningContent();
    await collection('pages', { name: 'price', type: 'number' });
  });
  afterAll(() => content.close());

  it('[CONTENT-002] lists, reads, changes and deletes collections', async () => {
    await collection('drawers', text('size'));
    const at = '/collections/drawers';
    expect((await content.send<CollectionView>('PATCH', at, { ifMatch: 1, body: { description: 'For small things' } })).data).toMatchObject({ description: 'For small things', version: 2 });
    expect(await content.send('PATCH', at, { ifMatch: 1, body: { description: null } })).toMatchObject({ status: 409, code: 'CONFLICT' });
    const field = { required: true, constraints: { maxLength: 3 } };
    expect((await content.send<CollectionView>('PATCH', `${at}/fields/size`, { body: field })).data.fields).toEqual([text('title'), { ...text('size'), ...field }]);
    expect(await content.send('PATCH', `${at}/fields/size`, { body: { constraints: { max: 3 } } })).toMatchObject({ status: 422 });
    const { position } = await content.send('PATCH', `${at}/fields/size`, { body: { required: false, constraints: null } });
    const read = (await content.send<CollectionView>('GET', at)).data;
    expect(read.fields).toEqual([text('title'), { ...text('size'), required: false }]);
    const listed = async (min: string) => (await content.send<CollectionView[]>('GET', `/collections?limit=200&minPosition=${min}`)).data;
    expect((await listed(position)).find(({ name }) => name === 'drawers')).toEqual(read);
    const { id } = await create('drawers', { title: 'Left' });
    const gone = await content.send('DELETE', at);
    expect(gone).toMatchObject({ status: 200, data: { name: 'drawers', deleted: true } });
    expect((await listed(gone.position)).map(({ name }) => name)).not.toContain('drawers');
    for (const [method, path, body] of [
      ['GET', at], ['DELETE', at], ['PATCH', at, { description: 'x' }], ['POST', `${at}/fields`, text('more')], ['GET', `${at}/relations`], ['GET', '/items/drawers'],
      ['GET', `/items/drawers/${id}`], ['POST', '/items/drawers', { data: {} }], ['PATCH', `/items/drawers/${id}`, { data: { title: 'x' } }], ['GET', `/items/drawers/${id}/versions`],
    ] as const) expect([path, await content.send(method, path, body && { body })]).toMatchObject([path, { status: 410, code: 'GONE' }]);
    expect(await collection('drawers')).toMatchObject({ status: 409, code: 'CONFLICT' });
    expect((await content.send('GET', '/collections/nowhere')).status).toBe(403);
  });

  it('shows nobody the values of a field that is gone, and never gives its name again', async () => {
    await collection('notes', text('secret'));
    const { id } = await create('notes', { title: 'A', secret: 'B' });
    expect((await content.send<CollectionView>('DELETE', '/collections/notes/fields/secret')).data.fields).toEqual([text('title')]);
    expect(await content.send('DELETE', '/collections/notes/fields/secret')).toMatchObject({ status: 410, code: 'GONE' });
    expect(await content.send('DELETE', '/collections/notes/fields/never')).toMatchObject({ status: 403 });
    expect(await content.send('POST', '/collections/notes/fields', { body: text('secret') })).toMatchObject({ status: 409, code: 'CONFLICT' });
    expect((await content.send<ItemView>('GET', `/items/notes/${id}`)).data.data).toEqual({ title: 'A' });
    const written = await content.send<ItemView>('PATCH', `/items/notes/${id}`, { body: { data: { title: 'C' } } });
    expect(written.data.data).toEqual({ title: 'C' });
    expect((await content.send<ItemView[]>('GET', `/items/notes?minPosition=${written.position}`)).data.map(({ data }) => data)).toEqual([{ title: 'C' }]);
    expect((await content.send<ItemView>('POST', `/items/notes/${id}/revisions/1/restore`)).data.data).toEqual({ title: 'A' });
  });

  it('[CONTENT-006] creates, lists and removes relations between collections', async () => {
    for (const name of ['authors', 'books', 'shops']) await collection(name, text('ref'));
    const relation = { name: 'writtenBy', from: 'books', field: 'ref', to: 'authors' };
    expect(await relate('books', 'writtenBy', 'ref', 'authors')).toMatchObject({ status: 201, data: relation });
    for (const side of ['books', 'authors']) expect((await content.send<Relation[]>('GET', `/collections/${side}/relations`)).data).toEqual([relation]);
    expect(await relate('shops', 'sells', 'ref', 'books')).toMatchObject({ status: 201 });
    expect(await relate('authors', 'favourite', 'ref', 'shops')).toMatchObject({ status: 409, code: 'CONFLICT', facts: { cycle: ['authors', 'shops', 'books', 'authors'] } });
    expect(await relate('authors', 'self', 'ref', 'authors')).toMatchObject({ status: 409, code: 'CONFLICT' });
    expect(await relate('books', 'other', 'ref', 'pages')).toMatchObject({ status: 409, code: 'CONFLICT' });
    expect(await relate('authors', 'lumibase_x', 'ref', 'pages')).toMatchObject({ status: 422, code: 'RESERVED_NAME' });
    expect(await relate('authors', 'on', 'ref', 'nowhere')).toMatchObject({ status: 422, code: 'VALIDATION_FAILED' });

    const author = await create('authors', { title: 'Ada' });
    const page = await create('pages', { title: 'One' });
    for (const ref of ['Ada', page.id, author.id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))]) {
      expect(await content.send('POST', '/items/books', { body: { data: { title: 'B', ref } } })).toMatchObject({ status: 422, code: 'VALIDATION_FAILED', facts: { errors: [{ pointer: '/data/ref' }] } });
    }
    const book = await create('books', { title: 'B', ref: author.id });
    expect(await content.send('DELETE', `/items/authors/${author.id}`)).toMatchObject({ status: 409, code: 'CONFLICT', facts: { referencedBy: [{ collection: 'books', field: 'ref', id: book.id }] } });
    for (const path of ['/collections/authors', '/collections/books', '/collections/books/fields/ref']) expect(await content.send('DELETE', path)).toMatchObject({ status: 409, code: 'CONFLICT' });

    expect(await content.send('DELETE', '/collections/books/relations/writtenBy')).toMatchObject({ status: 200, data: { collection: 'books', name: 'writtenBy', deleted: true } });
    expect(await content.send('DELETE', '/collections/books/relations/writtenBy')).toMatchObject({ status: 403 });
    expect((await content.send<Relation[]>('GET', '/collections/authors/relations')).data).toEqual([]);
    expect(await content.send('DELETE', `/items/authors/${author.id}`)).toMatchObject({ status: 200 });
    expect((await content.send<ItemView>('GET', `/items/books/${book.id}`)).data.data).toEqual({ title: 'B', ref: author.id });
  });

  it('[CONTENT-012] restores a revision as a new revision', async () => {
    const { id } = await create('pages', { title: 'One', price: 1 });
    const at = `/items/pages/${id}`;
    await content.send('PATCH', at, { body: { data: { title: 'Two', price: null } } });
    const restored = await content.send<ItemView>('POST', `${at}/revisions/1/restore`, { ifMatch: 2 });
    expect(restored).toMatchObject({ status: 200, etag: '"3"', data: { version: 3, data: { title: 'One', price: 1 } } });
    const { data } = await content.send<ItemRevisionView[]>('GET', `${at}/revisions?minPosition=${restored.position}`);
    expect(data.map(({ revision, action }) => [revision, action])).toEqual([[3, 'restored'], [2, 'updated'], [1, 'created']]);
    expect(data[0]!.changes).toEqual([{ field: 'price', before: null, after: 1 }, { field: 'title', before: 'Two', after: 'One' }]);
    for (const none of ['9', '0', 'one']) expect(await content.send('POST', `${at}/revisions/${none}/restore`)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  });

  it('[CONTENT-010] adds the provenance of the current revision to an item when asked', async () => {
    const { id } = await create('pages', { title: 'One' });
    const at = `/items/pages/${id}`;
    const provenance = { model: 'large-1', sources: ['https://example.com/a'], confidence: 0.75 };
    await content.send('PATCH', at, { key: 'hk_job', body: { data: { title: 'Two' }, provenance } });
    await content.send('POST', `${at}/pins`, { body: { fields: ['price'] } });
    expect((await content.send<ItemView>('GET', `${at}?provenance=true`)).data.provenance).toEqual({
      ...provenance, revision: 2, authorType: 'service', authorId: 'key_job', createdByRunId: null, constitutionHash: null, staged: false, autoCommitAt: null, at: expect.any(String),
    });
    for (const query of ['', '?provenance=false']) expect((await content.send<ItemView>('GET', at + query)).data).not.toHaveProperty('provenance');
    expect(await content.send('PATCH', at, { body: { data: {}, provenance: { confidence: 2 } } })).toMatchObject({ status: 422 });
    expect(await content.send('PATCH', at, { body: { data: {}, provenance: { constitutionHash: 'mine' } } })).toMatchObject({ status: 422 });
  });

  it('[CONTENT-013] creates, lists, changes, compares and deletes named versions of an item', async () => {
    const { id } = await create('pages', { title: 'One', price: 1 });
    const at = `/items/pages/${id}`;
    expect(await content.send('POST', `${at}/versions`, { body: { name: 'spring', data: { title: 'Spring' } } })).toMatchObject({ status: 201, etag: '"2"', data: { name: 'spring', baseVersion: 1, changes: { title: 'Spring' } } });
    await content.send('POST', `${at}/versions`, { body: { name: 'autumn' } });
    expect((await content.send<ItemVersionView>('PATCH', `${at}/versions/spring`, { body: { data: { price: 1 } } })).data.changes).toEqual({ title: 'Spring', price: 1 });
    expect((await content.send<ItemVersionView[]>('GET', `${at}/versions`)).data.map(({ name }) => name)).toEqual(['autumn', 'spring']);
    expect((await content.send<VersionComparison>('GET', `${at}/versions/spring/compare`)).data).toEqual({ name: 'spring', baseVersion: 1, liveVersion: 4, changes: [{ field: 'title', before: 'One', after: 'Spring' }], pinned: [] });
    expect(await content.send('DELETE', `${at}/versions/spring`)).toMatchObject({ status: 200, data: { name: 'spring', deleted: true } });
    expect(await content.send('GET', `${at}/versions/spring/compare`)).toMatchObject({ status: 410, code: 'GONE' });
    expect((await content.send<ItemView>('GET', at)).data.data).toEqual({ title: 'One', price: 1 });
  });

  it('[CONTENT-014] promotes a version: its content is live in one new revision', async () => {
    const { id } = await create('pages', { title: 'One' });
    const at = `/items/pages/${id}`;
    await content.send('POST', `${at}/versions`, { body: { name: 'spring', data: { title: 'Spring', price: 3 } } });
    const before = await content.store.head();
    const promoted = await content.send<ItemView>('POST', `${at}/versions/spring/promote`);
    expect(promoted).toMatchObject({ status: 200, data: { data: { title: 'Spring', price: 3 }, version: 3 } });
    expect(await content.store.head()).toBe(before + 1n);
    const { data } = await content.send<ItemRevisionView[]>('GET', `${at}/revisions?minPosition=${promoted.position}`);
    expect(data.map(({ action, changes }) => [action, changes.length])).toEqual([['promoted', 2], ['created', 1]]);
    expect((await content.send<ItemView[]>('GET', `/items/pages?filter={"price":3}&minPosition=${promoted.position}`)).data.map(({ version }) => version)).toContain(3);
    expect(await content.send('POST', `${at}/versions/spring/promote`)).toMatchObject({ status: 410, code: 'GONE' });
  });
});
