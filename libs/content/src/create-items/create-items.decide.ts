import { accept, missing, reject, type Context, type Decision } from '@app/kernel';
import type { Collection } from '../collection.state';
import { decideCreateItem } from '../create-item/create-item.decide';
import type { Patterns } from '../field.policy';
import { matchedCharacters, MAX_MATCHED_OF_BATCH, newItemProblems } from '../item-data.policy';
import type { ItemEvent } from '../item.events';
import type { Item } from '../item.state';
import type { Problem } from '../problem.policy';
import type { CreateItemsBody } from './create-items.command';

/** What is told of a batch that does not fit; more of them would help nobody. */
export const MAX_TOLD = 100;

type Rows = CreateItemsBody['items'];

/** Every problem of the rows, up to `MAX_TOLD`; `at` names the place of a row. */
export const rowProblems = (collection: Collection, rows: Rows, patterns: Patterns, at: (index: number) => string): readonly Problem[] => {
  const problems: Problem[] = [];
  if (collection.status !== 'live') return problems;
  for (const [index, row] of rows.entries()) {
    for (const { pointer, detail } of newItemProblems(collection.fields, row, patterns)) problems.push({ pointer: `${at(index)}${pointer.replace(/^\/data/, '')}`, detail });
    if (problems.length >= MAX_TOLD) return problems.slice(0, MAX_TOLD);
  }
  return problems;
};

/** All or none: one item that does not fit refuses the batch, and whoever sent it learns of each. `items` are the streams, one for each row. */
export const decideCreateItems = (
  items: readonly Item[],
  collection: Collection,
  { items: rows }: Pick<CreateItemsBody, 'items'>,
  context: Pick<Context, 'siteId' | 'now'>,
  patterns: Patterns,
): Decision<readonly (readonly ItemEvent[])[]> => {
  if (collection.status !== 'live') return missing();
  const { name, fields } = collection;
  if (rows.reduce((sum, row) => sum + matchedCharacters(fields, row), 0) > MAX_MATCHED_OF_BATCH) {
    const errors = [{ pointer: '/items', detail: `Fields with a pattern hold at most ${MAX_MATCHED_OF_BATCH} characters in all items of a batch` }];
    return reject('invalid', 'VALIDATION_FAILED', `This is more of ${name} than can be looked at at once; send smaller batches.`, { errors });
  }
  const problems = rowProblems(collection, rows, patterns, (index) => `/items/${index}`);
  if (problems.length > 0) return reject('invalid', 'VALIDATION_FAILED', `Not all of these items fit the collection ${name}; none was created.`, { errors: problems });
  const created: (readonly ItemEvent[])[] = [];
  for (const [index, item] of items.entries()) {
    const decision = decideCreateItem({ item, collection }, { data: rows[index]! }, context, patterns);
    if (!decision.ok) return decision;
    created.push(decision.events);
  }
  return accept(created);
};
