import { describe, expect, it } from '@jest/globals';
import { newId } from '@app/event-store';
import { Harness } from '../../libs/sdk/src';
import { CELLS, DESK_SAMPLES, DESK_SCOPES, DESK_TOOLS, desks } from './desks';
import type { Answer, Body } from './server';

const TOOLS = Object.keys(DESK_TOOLS);
const TRICKS = ['..', '../x', '/etc/passwd', 'C:\\x', 'a\nb', 'a\u202eb', 'a\u200bb', 'a\\b', 'CON', 'x'.repeat(150), '%2e%2e', '\uff0e\uff0e'];
const codeOf = ({ status, body }: Answer) => [status, body.code];

describe('A desk', () => {
  const { server, ada, bea, robot, open, approve, make, read, typesOf } = desks();

  it('[DESK-001] [DESK-012] holds files of type markdown and cells in folders, which their owner lists, reads, creates, finds and restores over REST', async () => {
    const note = await make('# Tides\nThe harbour sleeps', { name: 'Tides.md', folder: 'sea/2030' });
    expect(note).toMatchObject({ id: expect.stringMatching(/^desk_[0-9a-f]{32}$/), type: 'markdown', folder: 'sea/2030', status: 'live', revision: 1, bytes: 26 });
    const table = await make(CELLS, { name: 'Stock', folder: 'sea' });
    expect(await read(table.id as string)).toEqual({ ...table, type: 'cells', content: CELLS });
    expect((await ada()('POST', 'desk/files', { name: 'x', type: 'sheet', content: 'x' })).status).toBe(422);
    const at = async (path: string, by = ada()) => (await by('GET', `desk/files${path}${path.includes('?') ? '&' : '?'}minPosition=${await server().head()}`)).body.data as Body[];
    expect((await at('')).map(({ name }) => name as string)).toEqual(['Stock', 'Tides.md']);
    expect((await at('?folder=sea/2030')).map(({ id }) => id)).toEqual([note.id]);
    expect((await at('/search?query=HARBOUR%20tides')).map(({ id, excerpt }) => [id, excerpt])).toEqual([[note.id, expect.stringContaining('harbour sleeps')]]);
    expect((await at('/search?query=pens')).map(({ id }) => id)).toEqual([table.id]);
    for (const path of ['', '/search?query=tides', '?deleted=true']) expect(await at(path, bea())).toEqual([]);

    const { call } = await open();
    expect(await approve(await call('desk_delete_file', { fileId: note.id }))).toMatchObject({ data: { call: { status: 'executed' } } });
    expect(codeOf(await ada()('GET', `desk/files/${note.id as string}`))).toEqual([410, 'GONE']);
    expect((await at('/search?query=tides'))).toEqual([]);
    expect((await at('?deleted=true')).map(({ id, status }) => [id, status])).toEqual([[note.id, 'deleted']]);
    expect((await ada()('POST', `desk/files/${note.id as string}/restore`, {})).body.data).toMatchObject({ id: note.id, status: 'live', content: note.content, revision: 2 });
    expect((await at('/search?query=tides')).map(({ id }) => id)).toEqual([note.id]);
  });

  it('[DESK-012] answers the owner alone: to everybody else, an admin included, a file is as one that never was', async () => {
    const { id } = await make('Private words');
    const shape = ({ status, text }: Answer) => [status, text.replace(/desk_[0-9a-f]{32}/g, 'ID')];
    for (const [method, path, body] of [['GET', ''], ['GET', '/revisions'], ['GET', '/revisions/1'], ['POST', '/restore', { revision: 1 }]] as const) {
      for (const by of [bea(), server().admin]) {
        const [foreign, unknown] = [await by(method, `desk/files/${id as string}${path}`, body), await by(method, `desk/files/${newId('desk')}${path}`, body)];
        expect(shape(foreign)).toEqual(shape(unknown));
        expect(codeOf(foreign)).toEqual([403, 'FORBIDDEN']);
      }
    }
    expect(codeOf(await robot()('GET', `desk/files/${id as string}`))).toEqual([403, 'FORBIDDEN']);
    const { runId } = await open();
    const pried = (await server().admin('POST', `agent/runs/${runId}/tool-calls`, { tool: 'desk_read_file', arguments: { fileId: id } })).body.data;
    expect([pried.status, JSON.stringify(pried)]).toEqual(['failed', expect.not.stringContaining('Private words')]);
    const elsewhere = await server().newKey({ name: 'hers', userId: 'bea', capabilities: DESK_SCOPES });
    expect(await (await open(elsewhere)).call('desk_read_file', { fileId: id })).toMatchObject({ status: 'failed', reason: expect.stringContaining('FORBIDDEN') });
  });

  it('[DESK-013] refuses path tricks in names of files and folders, whoever writes them and on whatever way', async () => {
    const before = await server().head();
    for (const trick of TRICKS) {
      for (const place of [{ name: trick }, { folder: trick }, { folder: `ok/${trick}` }]) {
        const answer = await ada()('POST', 'desk/files', { name: 'x', type: 'markdown', content: 'x', ...place });
        expect([trick, ...codeOf(answer)]).toEqual([trick, 422, 'VALIDATION_FAILED']);
      }
    }
    expect(await server().head()).toBe(before);
    const { id } = await make();
    const { call } = await open();
    for (const trick of TRICKS.filter((_trick, nr) => nr % 2 === 0)) {
      const created = await call('desk_create_file', { name: trick, type: 'markdown', content: 'x' });
      const renamed = await call('desk_rename_file', { fileId: id, folder: trick });
      const planned = await call('desk_propose_plan', { title: 'Move', steps: [{ tool: 'desk_rename_file', arguments: { fileId: id, name: trick } }] });
      expect([trick, created.status, renamed.status, planned.status]).toEqual([trick, 'denied', 'denied', 'denied']);
    }
    expect(await typesOf(id as string)).toEqual(['DeskFileCreated']);
  });

  it('[DESK-003] takes a new file of an agent at once, and people are told of it', async () => {
    const { call } = await open();
    const made = await call('desk_create_file', { name: 'Told of', type: 'markdown', content: 'Words for the owner' });
    expect(made).toMatchObject({ status: 'executed', result: { revision: 1 } });
    const told = (await ada()('GET', `notifications?kind=desk&minPosition=${await server().head()}`)).body.data as Body[];
    expect(told.find(({ id }) => id === made.result.id)).toMatchObject({ kind: 'desk', title: 'An agent put a file on a desk' });
    expect(JSON.stringify(told)).not.toContain('Words for the owner');
  });

  it('[SKILL-014] offers its skills, which work on the desk of the person whose key opened the run', async () => {
    const tools = (await server().admin('GET', 'agent/tools?limit=200')).body.data as Body[];
    expect(tools.map(({ name }) => name as string).filter((name) => name.startsWith('desk_') || name === 'resolve_ref').toSorted()).toEqual(TOOLS);
    const { call } = await open();
    const made = await call('desk_create_file', { name: 'Stock', folder: 'office', type: 'cells', content: CELLS });
    expect(made).toMatchObject({ status: 'executed', result: { name: 'Stock', folder: 'office', revision: 1 } });
    const fileId = made.result.id as string;
    expect(await read(fileId)).toMatchObject({ name: 'Stock', content: CELLS });
    const cells = await approve(await call('desk_update_cells', { fileId, set: [{ row: 1, column: 'Count', value: 8 }], appendRows: [['Nibs', 2]] }));
    expect(cells.data.call.result.content.rows).toEqual([['Pens', 3], ['Ink', 8], ['Nibs', 2]]);
    const text = (await call('desk_create_file', { name: 'Note.md', type: 'markdown', content: 'Draft' })).result.id as string;
    expect((await approve(await call('desk_update_markdown', { fileId: text, content: 'Final words' }))).data.call.result).toMatchObject({ content: 'Final words', revision: 2 });
    expect((await approve(await call('desk_rename_file', { fileId: text, name: 'Final.md', folder: 'office' }))).data.call.result).toMatchObject({ name: 'Final.md', folder: 'office', revision: 2 });
    expect((await call('desk_read_file', { fileId: text })).result).toMatchObject({ content: 'Final words' });
    expect((await call('desk_read_file', { fileId: text, revision: 1 })).result).toMatchObject({ content: 'Draft', cause: 'updated' });
    expect((await call('desk_list_files', { folder: 'office' })).result.rows.map(({ id }: Body) => id)).toEqual([text, fileId]);
    expect((await call('desk_search', { query: 'final' })).result.rows).toMatchObject([{ id: text }]);
    expect((await approve(await call('desk_delete_file', { fileId: text }))).data.call.result).toMatchObject({ id: text, status: 'deleted' });
    expect(await call('desk_read_file', { fileId: text })).toMatchObject({ status: 'failed', reason: expect.stringContaining('GONE') });

    const searched = await call('desk_search', { query: 'pens' }, 'the-search');
    expect((await call('resolve_ref', { ref: 'the-search' })).result).toEqual({ ref: 'the-search', tool: 'desk_search', status: 'executed', result: searched.result });
    const other = await open();
    expect(await other.call('resolve_ref', { ref: 'the-search' })).toMatchObject({ status: 'failed', reason: expect.stringContaining('FORBIDDEN') });
    expect(await call('resolve_ref', { ref: 'never-made' })).toMatchObject({ status: 'failed' });
  });

  it('[DESK-002] is read silently: even where an agent is asked about all else, a read runs and leaves nothing but its entry in the log of calls', async () => {
    const { id } = await make('Quiet');
    const { runId, call } = await open(robot(), { autonomyCap: 0 });
    const before = await server().head();
    for (const [tool, args] of [['desk_read_file', { fileId: id }], ['desk_list_files', {}], ['desk_search', { query: 'quiet' }]] as const) expect(await call(tool, args)).toMatchObject({ status: 'executed' });
    const written = ((await server().log()) as Body[]).filter(({ position }) => BigInt(position as string) > before);
    expect(new Set(written.map(({ stream_id, type }) => `${stream_id as string} ${type as string}`))).toEqual(new Set([`run-${runId} ToolCallAuthorised`, `run-${runId} ToolCallSucceeded`]));
    expect((await server().admin('GET', `agent/approvals?status=pending&minPosition=${await server().head()}`)).body.data).toEqual([]);
    expect(await call('desk_create_file', { name: 'x', type: 'markdown', content: 'x' })).toMatchObject({ status: 'pending_approval' });
  });

  it('is worked with through the SDK', async () => {
    const { desk } = new Harness({ url: server().url, key: ada().key });
    const { data: file } = await desk.create({ name: 'Sailing.md', folder: 'sdk', type: 'markdown', content: 'Wind and weather' });
    expect((await desk.list({ folder: 'sdk' })).data.map(({ id }) => id)).toEqual([file.id]);
    expect((await desk.search('WEATHER sailing')).data).toMatchObject([{ id: file.id }]);
    expect(await desk.read(file.id)).toEqual(file);
    const { call } = await open();
    await approve(await call('desk_update_markdown', { fileId: file.id, content: 'Calm' }));
    expect((await desk.revisions(file.id)).data).toMatchObject([{ revision: 1, cause: 'updated' }]);
    expect(await desk.revision(file.id, 1)).toMatchObject({ content: 'Wind and weather' });
    expect((await desk.restore(file.id, 1)).data).toMatchObject({ content: 'Wind and weather', revision: 3 });
  });

  it('[DESK-010] shows a model only the tools whose scopes its run holds, by key, by role and by token', async () => {
    await server().admin('POST', 'agent/roles', { name: 'Reader', description: 'Reads and asks', capabilities: ['desk:read', 'desk:ask'] });
    const names = ({ body }: Answer) => (body.data as Body[]).map(({ name }) => name as string);
    const expected = (held: readonly string[]) => TOOLS.filter((tool) => held.includes(DESK_TOOLS[tool]!));
    for (const [capabilities, agentRole, held] of [
      ...DESK_SCOPES.map((scope) => [[scope], undefined, [scope]] as const), [DESK_SCOPES, undefined, DESK_SCOPES], [DESK_SCOPES, 'Reader', ['desk:read', 'desk:ask']], [['desk:write', 'desk:read'], 'Reader', ['desk:read']], [[], undefined, []],
    ] as const) {
      const key = await server().newKey({ name: 'model', capabilities: [...capabilities], ...(agentRole !== undefined && { agentRole }) });
      const { runId } = await open(key);
      const { token } = (await key('POST', `agent/runs/${runId}/token`, {})).body.data;
      for (const listed of [await key('GET', 'agent/tools?usable=true&limit=200'), await key('GET', `agent/runs/${runId}/tools?limit=200`), await server().as(token as string)('GET', `agent/runs/${runId}/tools?limit=200`)]) {
        expect(names(listed)).toEqual(expected(held));
      }
      if (capabilities.length === 1) continue;
      for (const tool of TOOLS) {
        const { reason } = (await key('POST', `agent/tools/${tool}/dry-run`, { runId, arguments: DESK_SAMPLES[tool] })).body.data;
        expect([tool, reason === 'capability_missing']).toEqual([tool, !expected(held).includes(tool)]);
      }
    }
  });
});
