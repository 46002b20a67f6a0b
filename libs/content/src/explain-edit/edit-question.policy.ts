import type { EditMeaning, ItemData } from '../item.events';
import type { LiveItem } from '../item.state';

/** What the author of an edit is asked: was it a one-off exception, or a new rule? */
export type EditQuestion = { readonly revision: number; readonly fields: readonly string[]; readonly intents: readonly string[] };

const byField = (a: string, b: string) => (a < b ? -1 : 1);

/** What one edit pinned, as far as it is still pinned; undefined when that is nothing. */
export const pinnedByEdit = ({ pins }: Pick<LiveItem, 'pins'>, revision: number): (EditQuestion & { readonly meaning: EditMeaning | null }) | undefined => {
  const ofEdit = Object.entries(pins).flatMap(([field, { edit }]) => (edit?.revision === revision ? [{ field, edit }] : []));
  const [first] = ofEdit;
  return first && { revision, fields: ofEdit.map(({ field }) => field).toSorted(byField), intents: first.edit.intents, meaning: first.edit.meaning };
};

/** The question that the newest change of an item leads to: asked in the answer to the very edit that pinned, and of nobody else. */
export const questionOfNewest = (item: LiveItem, version: number): EditQuestion | undefined => {
  const newest = Math.max(...Object.values(item.pins).map(({ edit }) => edit?.revision ?? 0), 0);
  const asked = pinnedByEdit(item, newest);
  if (!asked || asked.meaning !== null || newest + asked.fields.length !== version) return undefined;
  const { meaning: _open, ...question } = asked;
  return question;
};

export const valuesOf = (data: ItemData, fields: readonly string[]): ItemData => Object.fromEntries(fields.map((field) => [field, data[field] ?? null]));
