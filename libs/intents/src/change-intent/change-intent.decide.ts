import type { Collection } from '@app/content/contract';
import { accept, type Context, type Decision } from '@app/kernel';
import { liveIntent, refusedDefinition, type Checks } from '../checked-definition.policy';
import type { IntentEvent } from '../intent.events';
import type { ChangeIntentBody, IntentDefinition } from '../intent.schema';
import type { Intent } from '../intent.state';

/** The whole definition is recorded, so that what held at any time needs no folding of parts. A change that changes nothing is no event. */
export const changeIntent = (
  { intent, collection }: { readonly intent: Intent; readonly collection: Collection },
  body: ChangeIntentBody,
  { siteId, actor, now }: Pick<Context, 'siteId' | 'actor' | 'now'>,
  checks: Checks,
): Decision<{ readonly intent: readonly IntentEvent[] }> => {
  const found = liveIntent(intent, siteId);
  if (!found.ok) return found;
  const before = found.intent.definition;
  const definition = changed(before, body);
  const refused = refusedDefinition(definition, collection, checks);
  if (refused) return refused;
  const same = JSON.stringify(sorted(definition)) === JSON.stringify(sorted(before));
  return accept({ intent: same ? [] : [{ type: 'IntentChanged', data: { definition, by: actor.id, at: now.toISOString() } }] });
};

const changed = (before: IntentDefinition, { budget, ...body }: ChangeIntentBody): IntentDefinition => {
  const parts = Object.entries({ ...before, ...body, budget: { ...before.budget, ...budget } }).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(parts) as IntentDefinition;
};

/** Definitions come back from the log with their keys in another order. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]));
};
