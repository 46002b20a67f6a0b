import { accept, reject, type Context, type Decision } from '@app/kernel';
import type { CollectionEvent } from '../collection.events';
import { liveCollection } from '../collection.policy';
import type { Collection } from '../collection.state';
import { definitionProblems, isReserved, RESERVED_PREFIX, type Patterns } from '../field.policy';
import { MAX_FIELDS } from '../field.schema';
import type { AddFieldBody } from './add-field.command';

/** Existing items go on without a value, also when the new field is required: it is asked for from the next item on. */
export const decideAddField = (
  state: Collection,
  version: number,
  { field, ifMatch }: Omit<AddFieldBody, 'collection'>,
  { now }: Pick<Context, 'now'>,
  patterns: Patterns,
): Decision<readonly CollectionEvent[]> => {
  const found = liveCollection(state, version, ifMatch);
  if (!found.ok) return found;
  const { fields, removedFields } = found.collection;
  const { name } = field;
  if (isReserved(name)) {
    return reject(
      'invalid',
      'RESERVED_NAME',
      `Names that start with ${RESERVED_PREFIX} belong to the product; choose another for ${name}.`,
      { name },
    );
  }
  if (fields.some((known) => known.name === name)) return reject('conflict', 'CONFLICT', `There is already a field ${name}.`, { name });
  if (removedFields.includes(name))
    return reject('conflict', 'CONFLICT', `There was a field ${name}, and items may still hold values of it; choose another name.`, { name });
  if (fields.length >= MAX_FIELDS) return reject('conflict', 'CONFLICT', `A collection has at most ${MAX_FIELDS} fields.`);
  const problems = definitionProblems([{ field, pointer: '' }], patterns);
  if (problems.length > 0) return reject('invalid', 'VALIDATION_FAILED', 'The field is not well defined.', { errors: problems });
  return accept([{ type: 'FieldAdded', data: { field, at: now.toISOString() } }]);
};
