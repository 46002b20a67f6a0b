import type { Field } from '@app/content/contract';
import { sameJson } from '@app/governance/contract';
import { rules, type CollectionNow } from './plan-application.policy';
import { call, type Kept, type Step, type StepCall } from './step.schema';

/** A step that was carried out; `item` is the one it created, at the version it had then. */
export type Executed = { readonly step: Step; readonly item: { readonly id: string; readonly version: number } | null };
export type ItemNow = { readonly version: number; readonly pinned: readonly string[] };
/** What others have in a collection, beside the items that go; `fields` are those that hold a value. Null: too many to look through. */
export type Others = { readonly count: number; readonly fields: readonly string[] } | null;
export type UndoFacts = {
  /** Null when it is gone. */
  readonly item: (id: string) => ItemNow | null;
  readonly collection: (name: string) => CollectionNow;
  readonly others: (collection: string) => Others;
};
export type UndoPlan = { readonly steps: readonly Step[]; readonly kept: readonly Kept[] };

type One = { readonly undo: StepCall } | { readonly kept: string } | { readonly gone: true };
const GONE = { gone: true } as const;
const kept = (reason: string) => ({ kept: reason });

/** The items among what was made that nobody has touched since. */
export const untouchedItems = (executed: readonly Executed[], itemNow: UndoFacts['item']): readonly string[] =>
  executed.flatMap(({ item }) => (item !== null && itemNow(item.id)?.version === item.version ? [item.id] : []));

/** The calls that take back what was made, the last first, and what stays because people have changed it or use it. */
export const planUndo = (executed: readonly Executed[], facts: UndoFacts): UndoPlan => {
  const steps: Step[] = [];
  const left: Kept[] = [];
  for (const each of executed.toReversed()) {
    const one = undoOf(each, executed, facts);
    if ('undo' in one) steps.push({ ...one.undo, undo: null });
    if ('kept' in one) left.push({ what: whatOf(each), reason: one.kept });
  }
  return { steps, kept: left };
};

const undoOf = ({ step, item }: Executed, executed: readonly Executed[], facts: UndoFacts): One => {
  const { tool, undo } = step;
  if (undo === null) return GONE;
  const name = collectionOf(step);
  if (tool === 'createItem') {
    const now = item && facts.item(item.id);
    if (!item || !now) return GONE;
    if (now.pinned.length > 0) return kept('People have pinned fields of it');
    return now.version === item.version ? { undo: call(undo.tool, { collection: name, id: item.id, ifMatch: now.version }) } : kept('It was changed since');
  }
  const now = facts.collection(name);
  if (now.status !== 'live') return GONE;
  const field = (wanted: unknown): Field | undefined => now.fields.find((each) => each.name === wanted);
  const others = () => facts.others(name);
  switch (tool) {
    case 'createCollection': {
      if (!sameJson(now.fields.map(shape), fieldsMade(name, executed))) return kept('Its fields were changed since');
      const tied = now.relations.find((relation) => relation.from !== name && !isMade(relation, executed));
      if (tied) return kept(`${tied.from} refers to it`);
      const held = others();
      return held?.count === 0 ? { undo } : kept(held ? `It holds ${held.count} item(s) that stay` : 'It holds too many items to look through');
    }
    case 'createField': {
      const made = step.arguments['field'] as Field;
      const current = field(made.name);
      if (!current) return GONE;
      if (!sameJson(shape(current), shape(made))) return kept('It was changed since');
      const held = others();
      return held && !held.fields.includes(made.name) ? { undo } : kept(held ? 'Items that stay hold a value for it' : 'There are too many items to look through');
    }
    case 'updateField': {
      const current = field(step.arguments['field']);
      return current && sameJson(rules(current), rulesIn(step)) ? { undo } : kept('It was changed since');
    }
    case 'updateCollection':
      return now.description === step.arguments['description'] ? { undo } : kept('Its description was changed since');
    case 'createRelation':
      return now.relations.some((relation) => relation.from === name && relation.name === step.arguments['name']) ? { undo } : GONE;
    default:
      return kept('There is no way back known for it');
  }
};

const collectionOf = ({ arguments: given }: Step): string => String(given['collection'] ?? given['name']);
const shape = ({ name, type, ...more }: Field) => ({ name, type, ...rules(more) });
const rulesIn = ({ arguments: { required, constraints } }: Step) => ({ required, constraints });

/** The fields of a collection that was created, as later steps left them. */
const fieldsMade = (collection: string, executed: readonly Executed[]) =>
  executed.reduce<readonly ReturnType<typeof shape>[]>((fields, { step }) => {
    if (collectionOf(step) !== collection) return fields;
    if (step.tool === 'createCollection') return (step.arguments['fields'] as Field[]).map(shape);
    if (step.tool === 'createField') return [...fields, shape(step.arguments['field'] as Field)];
    return step.tool === 'updateField' ? fields.map((field) => (field.name === step.arguments['field'] ? { ...field, ...(rulesIn(step) as ReturnType<typeof rules>) } : field)) : fields;
  }, []);

const isMade = ({ from, name }: { readonly from: string; readonly name: string }, executed: readonly Executed[]) =>
  executed.some(({ step }) => step.tool === 'createRelation' && step.arguments['collection'] === from && step.arguments['name'] === name);

const whatOf = ({ step, item }: Executed): string => {
  const { tool, arguments: given } = step;
  const name = collectionOf(step);
  switch (tool) {
    case 'createItem':
      return `item ${name}/${item?.id}`;
    case 'createField':
      return `field ${name}.${(given['field'] as Field).name}`;
    case 'updateField':
      return `field ${name}.${String(given['field'])}`;
    case 'createRelation':
      return `relation ${name}.${String(given['name'])}`;
    default:
      return `collection ${name}`;
  }
};
