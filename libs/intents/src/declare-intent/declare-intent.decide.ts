import type { Collection, CollectionEvent } from '@app/content/contract';
import { accept, type Context, type Decision } from '@app/kernel';
import { refusedDefinition, type Checks } from '../checked-definition.policy';
import type { IntentEvent } from '../intent.events';
import type { DeclareIntentBody } from '../intent.schema';
import type { Intent } from '../intent.state';

/** From this append on the collection knows that the intent governs it, and people's edits pin what they touch. */
export const declareIntent = (
  { intent, collection }: { readonly intent: Intent; readonly collection: Collection },
  intentId: string,
  definition: DeclareIntentBody,
  { siteId, actor, now }: Pick<Context, 'siteId' | 'actor' | 'now'>,
  checks: Checks,
): Decision<{ readonly intent: readonly IntentEvent[]; readonly collection: readonly CollectionEvent[] }> => {
  if (intent.status !== 'none') return accept({ intent: [], collection: [] });
  const refused = refusedDefinition(definition, collection, checks);
  if (refused) return refused;
  const at = now.toISOString();
  return accept({
    intent: [{ type: 'IntentDeclared', data: { intentId, siteId, definition, by: actor.id, at } }],
    collection: [{ type: 'CollectionGoverned', data: { intentId, at } }],
  });
};
