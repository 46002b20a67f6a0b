import { accept, missing, reject, type Context, type Decision, type Rejected } from '@app/kernel';
import type { CollectionEvent } from '../collection.events';
import { liveCollection } from '../collection.policy';
import type { Collection, LiveCollection } from '../collection.state';
import { definitionProblems, type Patterns } from '../field.policy';
import type { Field } from '../field.schema';
import { sameJson } from '../json-value.policy';
import type { DeleteFieldBody, UpdateFieldBody } from './change-field.command';

/** Existing items are not looked at: what a field asks for, it asks of every value that is written from here on. */
export const decideUpdateField = (
  state: Collection,
  version: number,
  { field: name, required, constraints, ifMatch }: Omit<UpdateFieldBody, 'collection'>,
  { now }: Pick<Context, 'now'>,
  patterns: Patterns,
): Decision<readonly CollectionEvent[]> => {
  const found = liveCollection(state, version, ifMatch);
  if (!found.ok) return found;
  const known = fieldOf(found.collection, name);
  if (!known.ok) return known;
  const before = known.field;
  const wanted = { required: required ?? before.required, constraints: constraints === undefined ? before.constraints : (constraints ?? undefined) };
  const field: Field = {
    name, type: before.type, ...(wanted.required !== undefined && { required: wanted.required }), ...(wanted.constraints !== undefined && { constraints: wanted.constraints }),
  };
  if (sameJson(before, field)) return accept([]);
  const problems = definitionProblems([{ field, pointer: '' }], patterns);
  if (problems.length > 0) return reject('invalid', 'VALIDATION_FAILED', 'The field is not well defined.', { errors: problems });
  return accept([{ type: 'FieldChanged', data: { before, field, at: now.toISOString() } }]);
};

export const decideDeleteField = (
  state: Collection,
  version: number,
  { field: name, ifMatch }: Omit<DeleteFieldBody, 'collection'>,
  { now }: Pick<Context, 'now'>,
): Decision<readonly CollectionEvent[]> => {
  const found = liveCollection(state, version, ifMatch);
  if (!found.ok) return found;
  const known = fieldOf(found.collection, name);
  if (!known.ok) return known;
  const using = found.collection.relations.filter(({ from, field }) => from === found.collection.name && field === name);
  if (using.length > 0) return reject('conflict', 'CONFLICT', `A relation needs the field ${name}; delete it first.`, { relations: using });
  return accept([{ type: 'FieldRemoved', data: { field: known.field, at: now.toISOString() } }]);
};

const fieldOf = ({ fields, removedFields }: LiveCollection, name: string): { readonly ok: true; readonly field: Field } | Rejected => {
  const field = fields.find((known) => known.name === name);
  if (field) return { ok: true, field };
  return removedFields.includes(name) ? reject('gone', 'GONE', `The field ${name} was deleted.`) : missing();
};
