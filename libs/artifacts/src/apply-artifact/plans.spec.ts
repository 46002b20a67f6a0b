import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import type { Field } from '@app/content/contract';
import { AppliedContent } from './applied-content.schema';
import { appliedContent, planApplication, type CollectionNow } from './plan-application.policy';
import { planUndo, type Executed, type Others } from './plan-undo.policy';
import type { Step } from './step.schema';

type Live = Extract<CollectionNow, { status: 'live' }>;
type Site = { collections: Record<string, CollectionNow>; items: Record<string, { collection: string; data: unknown; version: number; pinned: string[] }> };

/** A site that does what calls say, as the real one would. */
const carryOut = (site: Site, { tool, arguments: given }: Pick<Step, 'tool' | 'arguments'>, nr: number): Executed['item'] => {
  const name = String(given['collection'] ?? given['name']);
  const live = () => site.collections[name] as Live;
  const change = (more: Partial<Live>) => void (site.collections[name] = { ...live(), ...more });
  switch (tool) {
    case 'createCollection':
      site.collections[name] = { status: 'live', description: null, fields: given['fields'] as Field[], removedFields: [], relations: [] };
      return null;
    case 'deleteCollection':
      site.collections[name] = { status: 'deleted' };
      return null;
    case 'updateCollection':
      return change({ description: given['description'] as string | null }), null;
    case 'createField':
      return change({ fields: [...live().fields, given['field'] as Field] }), null;
    case 'deleteField':
      return change({ fields: live().fields.filter((field) => field.name !== given['field']), removedFields: [...live().removedFields, given['field'] as string] }), null;
    case 'updateField':
      return change({ fields: live().fields.map((field) => (field.name === given['field'] ? { name: field.name, type: field.type, required: given['required'] as boolean, ...(given['constraints'] !== null && { constraints: given['constraints'] as Field['constraints'] }) } : field)) }), null;
    case 'createItem':
      site.items[`item_${nr}`] = { collection: name, data: given['data'], version: 1, pinned: [] };
      return { id: `item_${nr}`, version: 1 };
    case 'deleteItem':
      expect(site.items[String(given['id'])]?.version).toBe(given['ifMatch']);
      delete site.items[String(given['id'])];
      return null;
    default:
      throw new Error(`No ${tool}`);
  }
};
const factsOf = (site: Site, executed: readonly Executed[]) => {
  const going = new Set(executed.flatMap(({ item }) => (item && site.items[item.id]?.version === item.version ? [item.id] : [])));
  return {
    item: (id: string) => site.items[id] ?? null, collection: (name: string): CollectionNow => site.collections[name] ?? { status: 'none' },
    others: (name: string): Others => {
      const left = Object.entries(site.items).filter(([id, each]) => each.collection === name && !going.has(id));
      return { count: left.length, fields: [...new Set(left.flatMap(([, { data }]) => Object.keys(data as object)))] };
    },
  };
};
const plan = (site: Site, content: AppliedContent, seeded: AppliedContent['items'] = []) => {
  const planned = planApplication(content, (name) => site.collections[name] ?? { status: 'none' }, seeded);
  if (!planned.ok) throw new Error(planned.rejection.detail);
  return planned.steps;
};
const perform = (site: Site, steps: readonly Step[], from = 0): Executed[] => steps.map((step, nr) => ({ step, item: carryOut(site, step, from + nr) }));
/** Equal rules may be written in two ways. */
const plain = (site: Site) => JSON.parse(JSON.stringify({ ...site, collections: Object.fromEntries(Object.entries(site.collections).filter(([, each]) => each.status === 'live').map(([name, each]) => [name, {
  description: (each as Live).description, fields: (each as Live).fields.map(({ name: field, type, required = false, constraints = {} }) => ({ field, type, required, constraints })).toSorted((a, b) => (a.field < b.field ? -1 : 1)),
}])) })) as unknown;

const TYPES: Record<string, 'text' | 'integer' | 'boolean'> = { a: 'text', b: 'integer', c: 'boolean' };
const fieldSet = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }).chain((names) =>
  fc.tuple(...names.map((name) => fc.record({ name: fc.constant(name), type: fc.constant(TYPES[name]!), required: fc.boolean() }))),
);
const contents = fc.record({
  collections: fc.uniqueArray(fc.record({ name: fc.constantFrom('one', 'two'), fields: fieldSet, description: fc.option(fc.constantFrom('Old', 'New'), { nil: undefined }) }), { selector: ({ name }) => name, minLength: 1 }),
  more: fc.array(fc.record({ a: fc.constantFrom('x', 'y') }), { maxLength: 4 }),
}).map(({ collections, more }) => AppliedContent.parse({ collections: collections.map(({ description, ...each }) => ({ ...each, ...(description !== undefined && { description }) })), items: more.map((data) => ({ collection: collections[0]!.name, data })) }));
const sites = fc.option(fieldSet, { nil: undefined }).map((fields): Site => ({
  collections: fields ? { one: { status: 'live', description: 'As it was', fields: fields as unknown as Field[], removedFields: [], relations: [] } } : {}, items: {},
}));

describe('The plan of a publication', () => {
  it('makes content true, needs nothing when it is made again, and going back restores what was there', () => {
    fc.assert(
      fc.property(sites, contents, fc.nat(20), (site, content, stop) => {
        const before = plain(site);
        const whole = plan(site, content);
        const executed = perform(site, whole.slice(0, stop));
        const seeded = executed.flatMap(({ step }) => (step.tool === 'createItem' ? [step.arguments as unknown as AppliedContent['items'][number]] : []));
        // Planned anew after it stopped anywhere: only what is missing.
        executed.push(...perform(site, plan(site, content, seeded), 100));
        for (const { name, fields, description } of content.collections) {
          const now = site.collections[name] as Live;
          for (const field of fields) expect(now.fields.find((each) => each.name === field.name)).toMatchObject({ type: field.type, required: field.required });
          if (description !== undefined) expect(now.description).toBe(description);
        }
        expect(Object.values(site.items)).toHaveLength(content.items.length);
        expect(plan(site, content, content.items)).toEqual([]);
        const undo = planUndo(executed, factsOf(site, executed));
        expect(undo.kept).toEqual([]);
        undo.steps.forEach((step, nr) => carryOut(site, step, nr));
        expect(plain(site)).toEqual(before);
      }),
      { numRuns: 300 },
    );
  });

  it('never takes away what people have changed, pinned, added or use', () => {
    const touches = fc.constantFrom('item', 'pin', 'new item', 'field', 'description', 'nothing');
    fc.assert(
      fc.property(contents, touches, (content, touch) => {
        const site: Site = { collections: {}, items: {} };
        const executed = perform(site, plan(site, content));
        const { name } = content.collections[0]!;
        const first = Object.keys(site.items)[0];
        const own = () => site.collections[name] as Live;
        if (touch === 'item' && first) site.items[first] = { ...site.items[first]!, version: 2 };
        if (touch === 'pin' && first) site.items[first] = { ...site.items[first]!, version: 2, pinned: ['a'] };
        if (touch === 'new item') site.items['item_theirs'] = { collection: name, data: { a: 'z' }, version: 1, pinned: [] };
        if (touch === 'field') site.collections[name] = { ...own(), fields: [...own().fields, { name: 'theirs', type: 'text' }] };
        const { steps, kept } = planUndo(executed, factsOf(site, executed));
        steps.forEach((step, nr) => carryOut(site, step, nr));
        const theirs = touch === 'new item' ? 'item_theirs' : (touch === 'item' || touch === 'pin') && first ? first : undefined;
        if (theirs !== undefined) expect(Object.keys(site.items)).toEqual([theirs]);
        if (theirs !== undefined || touch === 'field') {
          expect(own().status).toBe('live');
          expect(kept.map(({ what }) => what)).toContain(`collection ${name}`);
        } else expect(kept).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('says what cannot be carried out', () => {
    const field = { name: 'a', type: 'text' as const };
    const now: Record<string, CollectionNow> = { gone: { status: 'deleted' }, one: { status: 'live', description: null, fields: [field], removedFields: ['b'], relations: [] } };
    const refused = (content: object) => {
      const planned = planApplication(AppliedContent.parse(content), (name) => now[name] ?? { status: 'none' }, []);
      return planned.ok ? 'ok' : planned.rejection.code;
    };
    expect(refused({ collections: [{ name: 'gone', fields: [] }] })).toBe('CONFLICT');
    expect(refused({ collections: [{ name: 'one', fields: [{ name: 'b', type: 'text' }] }] })).toBe('CONFLICT');
    expect(refused({ collections: [{ name: 'one', fields: [{ name: 'a', type: 'integer' }] }] })).toBe('CONFLICT');
    expect(refused({ items: [{ collection: 'nowhere', data: {} }] })).toBe('VALIDATION_FAILED');
    expect(refused({ collections: [{ name: 'one', fields: [field] }], relations: [{ collection: 'one', name: 'other', field: 'a', to: 'two' }] })).toBe('ok');
    for (const content of [{ collections: 'all' }, { collections: [{ name: 'one', fields: [{ ...field, unique: true }] }] }, { collections: [], dropFields: [] }, { collections: [{ name: 'x', fields: [] }, { name: 'x', fields: [] }] }]) {
      expect(appliedContent('schema_diff', content as never)).toMatchObject({ ok: false, rejection: { code: 'VALIDATION_FAILED' } });
    }
  });
});
