import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { context, specification } from '@app/kernel/testing';
import { AT, adas, asItWas, created, deleted, FILE, stock, updated } from '../desk.examples';
import type { DeskEvent } from '../desk-file.events';
import { deskFile, type DeskFile } from '../desk-file.state';
import { MAX_BYTES, MAX_FILES, type DeskChange, type FileContent } from '../desk.schema';
import type { DeskOwner } from '../own-file.policy';
import { decideDeskChange, type DeskFacts } from './desk-change.decide';

const given = specification(deskFile);
const facts: DeskFacts = { fileId: FILE, filesNow: 0, stored: null };
const to = (change: DeskChange, by: DeskOwner = adas, more: Partial<DeskFacts> = {}) => (state: DeskFile) => decideDeskChange(state, change, by, { ...facts, ...more }, context());
const create = (content: FileContent, more: object = {}): DeskChange => ({ do: 'create', name: 'Plan.md', folder: 'notes', type: typeof content === 'string' ? 'markdown' : 'cells', content, ...more });
const written = (content: string): DeskChange => ({ do: 'update_markdown', fileId: FILE, content });
const cells = (more: object): DeskChange => ({ do: 'update_cells', fileId: FILE, ...more });
const edited = (more: object) => {
  const decision = to(cells(more))([created(stock)].reduce(deskFile.evolve, deskFile.initial));
  if (!decision.ok) return decision.rejection.facts?.['errors'];
  return decision.events.flatMap((event) => (event.type === 'DeskFileUpdated' && typeof event.data.content !== 'string' ? event.data.content.rows : []));
};

describe('A desk file', () => {
  it('is a text or a table, in a folder, of one person', () => {
    given().when(to(create('One'))).then([created('One')]);
    given().when(to(create(stock))).then([created(stock)]);
    given().when(to(create('One', { folder: undefined }))).then([created('One', { folder: '' })]);
    given().when(to(create('One', { type: 'cells' }))).thenRejected('VALIDATION_FAILED');
    given().when(to(create(stock, { type: 'markdown' }))).thenRejected('VALIDATION_FAILED');
  });

  it('is made once, however often it is asked for', () => given(created()).when(to(create('One'))).then([]));

  it('stores what it held with each overwrite, and says nothing when nothing changes', () => {
    given(created('One')).when(to(written('Two'))).then([updated('Two', 'One')]);
    given(created('One'), updated('Two', 'One')).when(to(written('Three'))).then([updated('Three', 'Two', 3)]);
    given(created('One')).when(to(written('One'))).then([]);
    given(created('One')).when(to({ ...written('Two'), ifRevision: 2 } as DeskChange)).thenRejected('CONFLICT');
  });

  it('is deleted softly, with what it held, and comes back as it was', () => {
    const gone = [created('One'), updated('Two', 'One'), deleted('Two', 2)];
    given(created('One'), updated('Two', 'One')).when(to({ do: 'delete', fileId: FILE })).then([deleted('Two', 2)]);
    given(...gone).when(to({ do: 'delete', fileId: FILE })).thenRejected('GONE');
    given(...gone).when(to(written('Three'))).thenRejected('GONE');
    given(...gone).when(to({ do: 'restore', fileId: FILE })).then([{ type: 'DeskFileRestored', data: { ownerId: 'usr_ada', restored: 2, wasDeleted: true, content: 'Two', revision: 3, at: AT } }]);
  });

  it('gets the content of a stored revision back, and stores what it held before', () => {
    const restore: DeskChange = { do: 'restore', fileId: FILE, revision: 1 };
    given(created('One'), updated('Two', 'One')).when(to(restore, adas, { stored: 'One' })).then([
      { type: 'DeskFileRestored', data: { ownerId: 'usr_ada', restored: 1, wasDeleted: false, content: 'One', revision: 3, fileRevision: asItWas('Two', 2), at: AT } },
    ]);
    given(created('One'), updated('Two', 'One')).when(to(restore)).thenRejected('VALIDATION_FAILED');
    given(created('One')).when(to({ do: 'restore', fileId: FILE })).thenRejected('CONFLICT');
    given(created('One')).when(to(restore)).then([]);
  });

  it('is renamed and moved without a new revision', () => {
    const before = { name: 'Plan.md', folder: 'notes' };
    given(created()).when(to({ do: 'rename', fileId: FILE, name: 'New.md' })).then([{ type: 'DeskFileRenamed', data: { ownerId: 'usr_ada', name: 'New.md', folder: 'notes', before, at: AT } }]);
    given(created()).when(to({ do: 'rename', fileId: FILE, folder: '' })).then([{ type: 'DeskFileRenamed', data: { ownerId: 'usr_ada', name: 'Plan.md', folder: '', before, at: AT } }]);
    given(created()).when(to({ do: 'rename', fileId: FILE })).then([]);
  });

  it('is as good as not there for everybody else, on whatever site', () => {
    const changes: readonly DeskChange[] = [written('x'), cells({ deleteRows: [0] }), { do: 'rename', fileId: FILE, name: 'x' }, { do: 'delete', fileId: FILE }, { do: 'restore', fileId: FILE }, create('x')];
    const unknown = decideDeskChange(deskFile.initial, written('x'), adas, facts, context());
    for (const change of changes) {
      for (const by of [{ siteId: 'site_a', ownerId: 'usr_bea' }, { siteId: 'site_b', ownerId: 'usr_ada' }]) {
        for (const history of [[created()], [created(), deleted()]]) expect(given(...history).when(to(change, by)).decision).toEqual(unknown);
      }
    }
  });

  it('is bounded in size, and a desk in files', () => {
    given().when(to(create('x'.repeat(MAX_BYTES - 2)))).then([created('x'.repeat(MAX_BYTES - 2))]);
    given().when(to(create('x'.repeat(MAX_BYTES)))).thenRejected('PAYLOAD_TOO_LARGE');
    given().when(to(create('\u0001'.repeat(MAX_BYTES / 3)))).thenRejected('PAYLOAD_TOO_LARGE');
    given(created()).when(to(written('x'.repeat(MAX_BYTES)))).thenRejected('PAYLOAD_TOO_LARGE');
    given().when(to(create('x'), adas, { filesNow: MAX_FILES })).thenRejected('CONFLICT');
    given(created(), deleted()).when(to({ do: 'restore', fileId: FILE }, adas, { filesNow: MAX_FILES })).thenRejected('CONFLICT');
  });
});

describe('A table', () => {
  it('is edited cell by cell and row by row, by the numbers it had before', () => {
    expect(edited({ set: [{ row: 0, column: 'Count', value: 9 }], deleteRows: [1], appendRows: [['Nib', 1, null]] })).toEqual([['Pens', 9, '2030-01-01'], ['Nib', 1, null]]);
    expect(edited({ set: [{ row: 1, column: 'Seen', value: '2030-02-28' }], deleteRows: [0] })).toEqual([['Ink', null, '2030-02-28']]);
  });

  it('keeps the types of its columns, and takes no edit that points nowhere', () => {
    for (const value of ['many', true, 1e300]) expect(edited({ set: [{ row: 0, column: 'Count', value }] })).toEqual([{ pointer: '/rows/0/1', detail: 'Must be a number, or null' }]);
    for (const value of ['2030-02-29', '1/2/2030', 7]) expect(edited({ set: [{ row: 0, column: 'Seen', value }] })).toMatchObject([{ pointer: '/rows/0/2' }]);
    expect(edited({ set: [{ row: 2, column: 'Price', value: 1 }] })).toMatchObject([{ pointer: '/set/0/row' }, { pointer: '/set/0/column' }]);
    expect(edited({ deleteRows: [5] })).toMatchObject([{ pointer: '/deleteRows/0' }]);
    expect(edited({ appendRows: [['Nib']] })).toMatchObject([{ pointer: '/rows/2' }]);
    expect(edited({})).toHaveLength(1);
    given().when(to(create({ columns: [stock.columns[0]!, stock.columns[0]!], rows: [] }))).thenRejected('VALIDATION_FAILED');
    given(created('text')).when(to(cells({ deleteRows: [0] }))).thenRejected('VALIDATION_FAILED');
    given(created(stock)).when(to(written('text'))).thenRejected('VALIDATION_FAILED');
  });
});

/** A change out of numbers: what it does, and to which content. */
const step = fc.record({ do: fc.constantFrom('write', 'delete', 'restore', 'rename'), n: fc.nat({ max: 5 }) });

describe('Whatever happens to a file', () => {
  it('[DESK-007] property: each content that an overwrite or a delete takes away is stored, exactly and under its number', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let state = deskFile.evolve(deskFile.initial, created('v0'));
        const kept = new Map<number, FileContent>();
        for (const { do: kind, n } of steps) {
          if (state.status === 'none') throw new Error('It was created');
          const before = state;
          const revision = n === 0 ? undefined : n;
          const change: DeskChange =
            kind === 'write' ? written(`v${n}`) : kind === 'delete' ? { do: 'delete', fileId: FILE } : kind === 'rename' ? { do: 'rename', fileId: FILE, name: `N${n}` } : { do: 'restore', fileId: FILE, revision };
          const decision = decideDeskChange(state, change, adas, { ...facts, stored: (revision === undefined ? undefined : kept.get(revision)) ?? null }, context());
          if (!decision.ok) continue;
          for (const event of decision.events as readonly DeskEvent[]) {
            state = deskFile.evolve(state, event);
            const stored = 'fileRevision' in event.data ? event.data.fileRevision : undefined;
            const tookAway = event.type === 'DeskFileUpdated' || event.type === 'DeskFileDeleted' || (event.type === 'DeskFileRestored' && before.status === 'live');
            expect(stored).toEqual(tookAway ? { revision: before.revision, name: before.name, folder: before.folder, content: before.content } : undefined);
            if (stored) {
              expect(kept.has(stored.revision)).toBe(false);
              kept.set(stored.revision, stored.content);
            }
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
