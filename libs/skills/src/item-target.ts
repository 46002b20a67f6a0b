import { CompareVersion, GetItem, InspectItem } from '@app/content/contract';
import type { CallTarget, Change } from '@app/tool-calls/contract';
import type { Dispatch } from './core-skill';

type Values = Readonly<Record<string, unknown>>;
type Place = { readonly collection: string; readonly id: string };

/** The values of an item as they are; none for one that is not there. */
export const valuesNow = async ({ collection, id }: Place, siteId: string, dispatch: Dispatch): Promise<Values> => {
  const found = await dispatch.ask(new GetItem({ collection, id }, { siteId }));
  return found.ok ? found.data.data : {};
};

/** What differs, field by field. */
export const changesBetween = (before: Values, after: Values): readonly Change[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((path) => ({ path, before: before[path] ?? null, after: after[path] ?? null }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));

/** Fields a call names are fields it writes, whatever their value: a person's field is not even set to what it holds. A deletion writes all. */
export const targetOf = async ({ collection, id, data }: Place & { readonly data?: Values }, siteId: string, dispatch: Dispatch): Promise<CallTarget | null> => {
  const found = await dispatch.ask(new InspectItem({ collection, id }, { siteId }));
  if (!found.ok) return null;
  const { version, data: values, pinned } = found.data;
  const valueNow = (field: string) => (Object.hasOwn(values, field) ? values[field] : null);
  return {
    collection, itemId: id, version,
    pinnedFields: data === undefined ? pinned : pinned.filter((field) => Object.hasOwn(data, field)),
    patch: data === undefined ? null : { before: Object.fromEntries(Object.keys(data).map((field) => [field, valueNow(field)])), after: data },
  };
};

/** A call that changes fields which only the item's history or a version knows: it is no patch, and what is pinned of them is found out when it runs. */
export const placeOf = async ({ collection, id }: Place, siteId: string, dispatch: Dispatch): Promise<CallTarget | null> => {
  const found = await targetOf({ collection, id }, siteId, dispatch);
  return found && { ...found, pinnedFields: [] };
};

/** What promoting a version would change now, and what people have pinned of it. */
export const promotionOf = async (named: Place & { readonly name: string }, siteId: string, dispatch: Dispatch) => {
  const { collection, id, name } = named;
  const found = await dispatch.ask(new CompareVersion({ collection, id, name }, { siteId }));
  return found.ok ? found.data : null;
};
