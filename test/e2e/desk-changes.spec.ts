import { describe, expect, it } from '@jest/globals';
import { newId } from '@app/event-store';
import { CELLS, DESK_TOOLS, desks } from './desks';
import type { Body } from './server';

const TOOLS = Object.keys(DESK_TOOLS);

describe('Files of a desk that exist already', () => {
  const { server, ada, bea, robot, reviewer, open, approve, make, read, eventsOf, typesOf } = desks();

  const changes = (fileId: string, cellsId: string): readonly (readonly [string, Body])[] => [
    ['desk_update_cells', { fileId: cellsId, deleteRows: [0] }], ['desk_update_markdown', { fileId, content: 'Overwritten' }],
    ['desk_rename_file', { fileId, name: 'Renamed.md' }], ['desk_delete_file', { fileId }],
    ['desk_propose_plan', { title: 'Clear', steps: [{ tool: 'desk_delete_file', arguments: { fileId } }] }],
  ];

  it('[DESK-004] [DESK-005] validates the target and then only answers that approval is needed, at every level and whatever the site allows; the file stays as it is', async () => {
    const [file, table] = [await make('One'), await make(CELLS)];
    const before = [await read(file.id as string), await read(table.id as string)];
    await server().admin('PUT', 'settings', { contentOs: { vetoWindow: true } });
    for (const tool of TOOLS) await server().admin('PUT', `agent/tools/${tool}`, { dangerous: false, stageable: true, ...(tool.startsWith('desk_') && { risk: 'read' }) });
    await server().admin('PUT', 'agent/policies', { rules: [{ name: 'trust', when: { tool: TOOLS }, then: { do: 'allow' }, mode: 'enforce' }] });
    for (const level of [0, 1, 2, 3, 4]) {
      for (const capability of ['desk:write', 'desk:delete', 'desk:ask']) {
        const granted = await server().admin('PUT', 'agent/autonomy/grants', { agentRole: 'Writer', capability, level });
        expect([level, granted.status]).toEqual([level, 200]);
      }
      const { call } = await open();
      for (const [tool, args] of changes(file.id as string, table.id as string)) {
        const answer = await call(tool, args);
        expect([level, tool, answer.status]).toEqual([level, tool, 'pending_approval']);
        expect(answer.approvalId).toEqual(expect.stringMatching(/^appr_/));
        expect(answer).not.toHaveProperty('result');
      }
    }
    const { call } = await open(robot(), { approvalPolicy: 'before_commit' });
    for (const [tool, args] of changes(file.id as string, table.id as string)) expect(await call(tool, args)).toMatchObject({ status: 'pending_approval' });
    for (const [tool, args] of changes(newId('desk'), newId('desk'))) expect(await call(tool, args)).toMatchObject({ status: 'denied', reason: 'invalid_arguments', rule: 'target' });
    for (const [tool, args] of changes((await make('Hers', {}, bea())).id as string, (await make(CELLS, {}, bea())).id as string)) expect(await call(tool, args)).toMatchObject({ status: 'denied', rule: 'target' });
    expect(await call('desk_update_markdown', { fileId: table.id, content: 'x' })).toMatchObject({ status: 'denied', facts: { errors: [{ path: '/fileId', message: 'Must be a file of type markdown' }] } });
    expect([await read(file.id as string), await read(table.id as string)]).toEqual(before);
    expect([await typesOf(file.id as string), await typesOf(table.id as string)]).toEqual([['DeskFileCreated'], ['DeskFileCreated']]);
    await server().admin('PUT', 'agent/policies', { rules: [] });
  });

  it('[DESK-006] knows no word of the agent that confirms a change by itself', async () => {
    const { id } = await make('One');
    const { call } = await open();
    for (const [tool, args] of changes(id as string, id as string)) {
      for (const confirmed of [true, 'true']) {
        expect(await call(tool, { ...args, confirmed })).toMatchObject({ status: 'denied', reason: 'invalid_arguments' });
        const asStep = await call('desk_propose_plan', { title: 'Sure', steps: [{ tool, arguments: { ...args, confirmed } }] });
        expect(asStep).toMatchObject({ status: 'denied', reason: 'invalid_arguments' });
      }
    }
    expect(await call('desk_delete_file', { fileId: id })).toMatchObject({ status: 'pending_approval' });
    expect(await call('desk_delete_file', { fileId: id, confirmed: true })).toMatchObject({ status: 'denied' });
    expect(await typesOf(id as string)).toEqual(['DeskFileCreated']);
  });

  it('[DESK-007] [DESK-008] [DESK-009] stores what a change takes away, deletes softly, and gives both back', async () => {
    const { id } = await make('One');
    const { call } = await open();
    for (const content of ['Two', 'Three']) await approve(await call('desk_update_markdown', { fileId: id, content }));
    await approve(await call('desk_delete_file', { fileId: id }));
    const revisions = (await ada()('GET', `desk/files/${id as string}/revisions`)).body.data as Body[];
    expect(revisions.map(({ revision, cause, by }) => [revision, cause, by])).toEqual([[3, 'deleted', robot().id], [2, 'updated', robot().id], [1, 'updated', robot().id]]);
    for (const [revision, content] of [[1, 'One'], [2, 'Two'], [3, 'Three']] as const) expect((await ada()('GET', `desk/files/${id as string}/revisions/${revision}`)).body.data).toMatchObject({ revision, content });
    expect((await server().pool.query<Body>('SELECT revision, content FROM file_revisions WHERE file_id = $1 ORDER BY revision', [id])).rows).toEqual([{ revision: 1, content: 'One' }, { revision: 2, content: 'Two' }, { revision: 3, content: 'Three' }]);

    expect((await ada()('POST', `desk/files/${id as string}/restore`, {})).body.data).toMatchObject({ status: 'live', content: 'Three', revision: 4 });
    expect((await ada()('POST', `desk/files/${id as string}/restore`, { revision: 1 })).body.data).toMatchObject({ content: 'One', revision: 5 });
    expect((await ada()('GET', `desk/files/${id as string}/revisions/4`)).body.data).toMatchObject({ cause: 'restored', content: 'Three', by: ada().id });
    await approve(await call('desk_delete_file', { fileId: id }));
    expect((await ada()('POST', `desk/files/${id as string}/restore`, { revision: 2 })).body.data).toMatchObject({ status: 'live', content: 'Two', revision: 6 });
    expect((await ada()('POST', `desk/files/${id as string}/restore`, { revision: 9 })).status).toBe(422);
    expect((await ada()('POST', `desk/files/${id as string}/restore`, {})).status).toBe(409);
    expect(await typesOf(id as string)).toEqual(['DeskFileCreated', 'DeskFileUpdated', 'DeskFileUpdated', 'DeskFileDeleted', 'DeskFileRestored', 'DeskFileRestored', 'DeskFileDeleted', 'DeskFileRestored']);
  });

  it('[LOG-069] has all that ever happened to a file on its own stream', async () => {
    const { call } = await open();
    const fileId = (await call('desk_create_file', { name: 'Log.md', type: 'markdown', content: 'One' })).result.id as string;
    await approve(await call('desk_update_markdown', { fileId, content: 'Two' }));
    await approve(await call('desk_rename_file', { fileId, name: 'Logbook.md' }));
    await approve(await call('desk_delete_file', { fileId }));
    await ada()('POST', `desk/files/${fileId}/restore`, {});
    const events = await eventsOf(fileId);
    expect(events.map(({ type }) => type)).toEqual(['DeskFileCreated', 'DeskFileUpdated', 'DeskFileRenamed', 'DeskFileDeleted', 'DeskFileRestored']);
    expect(events.map(({ data }) => data.ownerId)).toEqual(Array.from({ length: 5 }, () => 'ada'));
    expect(events.map(({ metadata }) => metadata.actor.id)).toEqual([robot().id, robot().id, robot().id, robot().id, ada().id]);
  });

  it('[DESK-011] carries an approved plan out step by step through the executor of single changes, stops at the first that fails, and keeps what was done', async () => {
    const [first, second, third] = [await make('One'), await make('Two'), await make(CELLS)];
    const { call } = await open();
    const steps = [
      { tool: 'desk_update_markdown', arguments: { fileId: first.id, content: 'One more' } }, { tool: 'desk_create_file', arguments: { name: 'New.md', type: 'markdown', content: 'Fresh' } },
      { tool: 'desk_rename_file', arguments: { fileId: second.id, name: 'Second.md' } }, { tool: 'desk_delete_file', arguments: { fileId: third.id } },
    ];
    const planned = await call('desk_propose_plan', { title: 'Spring cleaning', steps });
    expect(planned).toMatchObject({ status: 'pending_approval' });
    const card = (await reviewer()('GET', `agent/approvals/${planned.approvalId as string}`)).body.data;
    expect(card.arguments).toEqual({ title: 'Spring cleaning', steps });
    expect(card.diff.map(({ path, before, after }: Body) => [path, before, after])).toEqual([
      [first.name, 'One', 'One more'], ['New.md', null, 'Fresh'], [second.name, second.name, 'Second.md'], [third.name, CELLS, null],
    ]);
    // Meanwhile another approval takes away what the third step is about.
    await approve(await call('desk_delete_file', { fileId: second.id }));
    const { call: done } = (await approve(planned)).data;
    expect(done.status).toBe('executed');
    expect(done.result).toMatchObject({ status: 'failed', done: 2 });
    expect(done.result.steps.map(({ tool, status, code }: Body) => [tool, status, code])).toEqual([
      ['desk_update_markdown', 'done', undefined], ['desk_create_file', 'done', undefined], ['desk_rename_file', 'failed', 'GONE'], ['desk_delete_file', 'not_tried', undefined],
    ]);
    expect(await read(first.id as string)).toMatchObject({ content: 'One more', revision: 2 });
    expect(await read(third.id as string)).toMatchObject({ status: 'live', revision: 1 });
    const whole = await call('desk_propose_plan', { title: 'The rest', steps: steps.slice(3) });
    expect((await approve(whole)).data.call.result).toMatchObject({ status: 'completed', done: 1 });
    expect(await typesOf(third.id as string)).toEqual(['DeskFileCreated', 'DeskFileDeleted']);
  });

  it('plans nothing that the run may not do, and shows no reviewer the files of others', async () => {
    const { id } = await make('One');
    const asking = await server().newKey({ name: 'asker', userId: 'ada', capabilities: ['desk:read', 'desk:ask'] });
    const { call } = await open(asking);
    const refused = await call('desk_propose_plan', { title: 'Clear', steps: [{ tool: 'desk_delete_file', arguments: { fileId: id } }] });
    expect(refused).toMatchObject({ status: 'denied', facts: { errors: [{ path: '/steps/0/arguments', message: 'This needs the capability desk:delete' }] } });
    const hers = await make('Bea alone reads this', {}, bea());
    const asked = await (await open()).call('desk_update_markdown', { fileId: id, content: 'Two' });
    const edited = await approve(asked, { arguments: { fileId: hers.id, content: 'Taken' } });
    expect(JSON.stringify(edited)).not.toContain('Bea alone');
    expect((await reviewer()('GET', `agent/approvals/${asked.approvalId as string}`)).text).not.toContain('Bea alone');
    expect(await read(hers.id as string, bea())).toMatchObject({ content: 'Bea alone reads this', revision: 1 });
  });
});
