import { ProblemException } from '@app/http';
import { z } from 'zod';
import { COMPARISONS, ItemCondition } from './list-items.query';

const Comparisons = z.partialRecord(z.enum(COMPARISONS), z.unknown());
const Filter = z.record(z.string(), z.unknown());

/** `{"status": "open", "price": {"gte": 5}}`: a bare value means equal. 422 for any other text. */
export const conditionsOf = (text: string | undefined): readonly ItemCondition[] => {
  if (text === undefined) return [];
  const conditions = z
    .array(ItemCondition)
    .max(20)
    .safeParse(Object.entries(filterOf(text)).flatMap(conditionsOn));
  if (conditions.success) return conditions.data;
  throw invalid(conditions.error.issues[0]?.message);
};

const filterOf = (text: string) => {
  try {
    return Filter.parse(JSON.parse(text));
  } catch {
    throw invalid('Must be a JSON object, for example {"status":"open","price":{"gte":5}}');
  }
};

const conditionsOn = ([field, value]: [string, unknown]): { field: string; is: string; value: unknown }[] => {
  if (typeof value !== 'object' || value === null) return [{ field, is: 'eq', value }];
  const comparisons = Comparisons.safeParse(value);
  if (!comparisons.success || Object.keys(value).length === 0) throw invalid(`Compare ${field} with ${COMPARISONS.join(', ')}`);
  return Object.entries(comparisons.data).map(([is, compared]) => ({ field, is, value: compared }));
};

const invalid = (detail = 'Is no filter') => ProblemException.invalid([{ pointer: '/filter', detail }]);
