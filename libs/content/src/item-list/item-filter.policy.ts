import type { Field } from '../field.schema';
import { typeProblem } from '../field-value.policy';
import type { Problem } from '../problem.policy';
import type { ItemCondition } from './list-items.query';

type Is = ItemCondition['is'];

const EQUAL = ['eq', 'in'] as const;
const ORDERED = [...EQUAL, 'gt', 'gte', 'lt', 'lte'] as const;
/** Instants are kept as they were written, in any time zone, so their texts have no order; JSON values have none at all. */
const COMPARISONS_OF: Record<Field['type'], readonly Is[]> = {
  text: [...EQUAL, 'contains'],
  longtext: [...EQUAL, 'contains'],
  integer: ORDERED,
  number: ORDERED,
  boolean: EQUAL,
  date: ORDERED,
  datetime: EQUAL,
  json: [],
  enum: EQUAL,
};
const MAX_VALUES = 100;

/** What is wrong with the conditions of a list, given the fields of its collection. */
export const filterProblems = (fields: readonly Field[], where: readonly ItemCondition[]): readonly Problem[] =>
  where.flatMap((condition, index) => {
    const pointer = `/where/${index}`;
    const field = fields.find(({ name }) => name === condition.field);
    if (!field) return [{ pointer: `${pointer}/field`, detail: `The collection has no field ${condition.field}` }];
    const known = COMPARISONS_OF[field.type];
    if (!known.includes(condition.is)) {
      const possible = known.length === 0 ? 'cannot be compared' : `is compared with ${known.join(', ')}`;
      return [{ pointer: `${pointer}/is`, detail: `A field of type ${field.type} ${possible}` }];
    }
    const detail = valueProblem(field, condition);
    return detail === null ? [] : [{ pointer: `${pointer}/value`, detail }];
  });

const valueProblem = (field: Field, { is, value }: ItemCondition): string | null => {
  if (is !== 'in') return typeProblem(field, value);
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_VALUES) return `Must be a list of 1 to ${MAX_VALUES} values`;
  return value.map((one) => typeProblem(field, one)).find((problem) => problem !== null) ?? null;
};
