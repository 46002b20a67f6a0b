import type { Field, Relation } from '@app/content/contract';
import { sameJson } from '@app/governance/contract';
import { reject, type Rejected } from '@app/kernel';
import type { ArtifactContent, ArtifactType } from '../artifact.schema';
import { AppliedContent, MOST_STEPS, TAKES_AWAY, type AppliedCollection } from './applied-content.schema';
import { call, type Step } from './step.schema';

/** What publishing carries out; all other types only become public. */
export const isApplied = (type: ArtifactType): boolean => type === 'schema_diff' || type === 'seed_data';

/** A collection as it is now; a name of a deleted one, or of a removed field, is never free again. */
export type CollectionNow =
  | { readonly status: 'none' }
  | { readonly status: 'deleted' }
  | { readonly status: 'live'; readonly description: string | null; readonly fields: readonly Field[]; readonly removedFields: readonly string[]; readonly relations: readonly Relation[] };
export type Planned = { readonly ok: true; readonly steps: readonly Step[] } | Rejected;
type Seed = AppliedContent['items'][number];

/** The content as far as it takes effect, or where it is not what can be carried out. */
export const appliedContent = (type: ArtifactType, content: ArtifactContent): { readonly ok: true; readonly content: AppliedContent } | Rejected => {
  const lossy = Object.keys(content).find((name) => TAKES_AWAY.test(name));
  if (lossy !== undefined) return refuse([{ pointer: `/content/${lossy}`, detail: 'Publishing adds and changes; what is lost for ever is asked for with its own tool' }]);
  const parsed = AppliedContent.safeParse(type === 'schema_diff' ? { ...content, items: [] } : content);
  if (!parsed.success) return refuse(parsed.error.issues.slice(0, 20).map(({ path, message }) => ({ pointer: `/content/${path.join('/')}`, detail: message })));
  const twice = parsed.data.collections.find(({ name }, nr, all) => all.findIndex((other) => other.name === name) < nr);
  return twice ? refuse([{ pointer: '/content/collections', detail: `${twice.name} stands there twice` }]) : { ok: true, content: parsed.data };
};

/**
 * The calls that make content true, in their order: collections, their fields, relations, items. What is there already takes none, so a plan that is
 * made again goes on where the one before stopped. `seeded` are items that this artifact has made; each of them stands for one that is described.
 */
export const planApplication = (content: AppliedContent, now: (name: string) => CollectionNow, seeded: readonly Seed[]): Planned => {
  const steps: Step[] = [];
  for (const collection of content.collections) {
    const planned = collectionSteps(collection, now(collection.name));
    if (!planned.ok) return planned;
    steps.push(...planned.steps);
  }
  const described = new Set(content.collections.map(({ name }) => name));
  for (const relation of content.relations) {
    const at = now(relation.collection);
    const known = at.status === 'live' && at.relations.some(({ from, name }) => from === relation.collection && name === relation.name);
    if (!known) steps.push({ ...call('createRelation', relation), undo: call('deleteRelation', { collection: relation.collection, name: relation.name }) });
  }
  const left = [...seeded];
  for (const [nr, { collection, data }] of content.items.entries()) {
    if (!described.has(collection) && now(collection).status !== 'live') return refuse([{ pointer: `/content/items/${nr}/collection`, detail: `There is no collection ${collection} on this site` }]);
    const known = left.findIndex((other) => other.collection === collection && sameJson(other.data, data));
    if (known >= 0) left.splice(known, 1);
    else steps.push({ ...call('createItem', { collection, data }), undo: call('deleteItem', { collection }) });
  }
  return steps.length > MOST_STEPS ? refuse([{ pointer: '/content', detail: `It takes ${steps.length} steps; ${MOST_STEPS} fit into one publication` }]) : { ok: true, steps };
};

const collectionSteps = ({ name, description, fields }: AppliedCollection, at: CollectionNow): Planned => {
  const describe = (before: string | null, undo: Step['undo']): readonly Step[] =>
    description === undefined || description === before ? [] : [{ ...call('updateCollection', { name, description }), undo }];
  if (at.status === 'deleted') return taken(name, `A collection ${name} was deleted, and its name is never free again; choose another.`);
  if (at.status === 'none') return { ok: true, steps: [{ ...call('createCollection', { name, fields }), undo: call('deleteCollection', { name }) }, ...describe(null, null)] };
  const steps: Step[] = [];
  for (const field of fields) {
    const known = at.fields.find((each) => each.name === field.name);
    if (known === undefined && at.removedFields.includes(field.name)) return taken(name, `A field ${field.name} of ${name} was deleted, and its name is never free again; choose another.`);
    if (known === undefined) steps.push({ ...call('createField', { collection: name, field }), undo: call('deleteField', { collection: name, field: field.name }) });
    else if (known.type !== field.type) return taken(name, `The field ${field.name} of ${name} is of type ${known.type}; a type never changes.`);
    else if (!sameJson(rules(known), rules({ ...known, ...field }))) {
      steps.push({ ...call('updateField', { collection: name, field: field.name, ...rules({ ...known, ...field }) }), undo: call('updateField', { collection: name, field: field.name, ...rules(known) }) });
    }
  }
  return { ok: true, steps: [...steps, ...describe(at.description, call('updateCollection', { name, description: at.description }))] };
};

export const rules = ({ required = false, constraints }: Pick<Field, 'required' | 'constraints'>) => ({ required, constraints: constraints === undefined || Object.keys(constraints).length === 0 ? null : { ...constraints } });

const taken = (name: string, detail: string) => reject('conflict', 'CONFLICT', detail, { collection: name });
const refuse = (errors: readonly { readonly pointer: string; readonly detail: string }[]) =>
  reject('invalid', 'VALIDATION_FAILED', 'The content cannot be carried out as it is; revise it.', { errors });
