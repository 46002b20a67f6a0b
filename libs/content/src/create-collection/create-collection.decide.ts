import { accept, reject, type Context, type Decision } from '@app/kernel';
import type { CollectionEvent } from '../collection.events';
import type { Collection } from '../collection.state';
import { definitionProblems, isReserved, RESERVED_PREFIX, type Patterns } from '../field.policy';
import type { CreateCollectionBody } from './create-collection.command';

/** A name is taken once and for all. */
export const decideCreateCollection = (
  state: Collection,
  { name, fields }: CreateCollectionBody,
  { siteId, now }: Pick<Context, 'siteId' | 'now'>,
  patterns: Patterns,
): Decision<readonly CollectionEvent[]> => {
  const reserved = [name, ...fields.map((field) => field.name)].find(isReserved);
  if (reserved !== undefined) {
    return reject(
      'invalid',
      'RESERVED_NAME',
      `Names that start with ${RESERVED_PREFIX} belong to the product; choose another for ${reserved}.`,
      { name: reserved },
    );
  }
  if (state.status !== 'none') return reject('conflict', 'CONFLICT', `There is already a collection ${name}.`, { name });
  const twice = fields.flatMap((field, index) =>
    fields.findIndex((other) => other.name === field.name) < index
      ? [{ pointer: `/fields/${index}/name`, detail: `There is already a field ${field.name}` }]
      : [],
  );
  const problems = [
    ...twice,
    ...definitionProblems(
      fields.map((field, index) => ({ field, pointer: `/fields/${index}` })),
      patterns,
    ),
  ];
  if (problems.length > 0)
    return reject('invalid', 'VALIDATION_FAILED', 'A field of the collection is not well defined.', { errors: problems });
  return accept([{ type: 'CollectionCreated', data: { siteId, name, fields, at: now.toISOString() } }]);
};
