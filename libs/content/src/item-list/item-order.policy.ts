import type { Field } from '../field.schema';
import type { Problem } from '../problem.policy';

type Order = { readonly field: string; readonly direction: 'asc' | 'desc' };

const OF_EVERY_ITEM = ['id', 'createdAt', 'updatedAt'];

/** The order a list asked for. A field of the collection wins over the item's own field of the same name. */
export const orderOf = (
  fields: readonly Field[],
  sort: string | undefined,
): { readonly ok: true; readonly sort?: Order } | { readonly ok: false; readonly problem: Problem } => {
  if (sort === undefined) return { ok: true };
  const name = sort.replace(/^-/, '');
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  const field = fields.find((known) => known.name === name);
  if (field && (field.type === 'json' || field.type === 'datetime')) {
    return { ok: false, problem: { pointer: '/sort', detail: `Fields of type ${field.type} have no order` } };
  }
  if (field) return { ok: true, sort: { field: `data.${name}`, direction } };
  return OF_EVERY_ITEM.includes(name)
    ? { ok: true, sort: { field: name, direction } }
    : { ok: false, problem: { pointer: '/sort', detail: `The collection has no field ${name}` } };
};
