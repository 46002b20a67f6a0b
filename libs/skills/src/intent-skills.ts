import { Name } from '@app/content/contract';
import { ChangeIntent, ChangeIntentBody, DeclareIntent, DeclareIntentBody, DeleteIntent, GetIntent, ListIntents } from '@app/intents/contract';
import { z } from 'zod';
import { skill, type CoreSkill, type Dispatch } from './core-skill';
import { listed, ListPage } from './list-page';

const IntentId = z.string().regex(/^int_[0-9a-f]{32}$/, 'Must be the id of an intent');

const intentNow = async (id: string, siteId: string, { ask }: Dispatch) => {
  const found = await ask(new GetIntent(id, { siteId, now: new Date() }));
  return found.ok ? found.data : null;
};

/** What collections are wished to be like. */
export const intentSkills: readonly CoreSkill[] = [
  skill('listIntents', {
    description: 'Lists the intents of the site, or those of one collection.',
    input: ListPage.extend({ collection: Name.optional() }), capability: 'intents:read', risk: 'read', idempotent: true,
    run: (page, { context, after }, { ask }) => listed(ask(new ListIntents({ ...page, minPosition: after }, context))),
  }),
  skill('createIntent', {
    description: 'Declares an intent: rules that a collection is kept to by itself, within a budget.',
    input: DeclareIntentBody, capability: 'intents:write', risk: 'create',
    run: (input, { context }, { send }) => send(new DeclareIntent(input, context)),
    preview: (input) => Promise.resolve([{ path: input.name, before: null, after: input }]),
  }),
  skill('updateIntent', {
    description: 'Changes an intent; null takes an optional part away.',
    input: ChangeIntentBody.extend({ id: IntentId }), capability: 'intents:write', risk: 'write', idempotent: true,
    run: ({ id, ...body }, { context }, { send }) => send(new ChangeIntent(id, body, context)),
    preview: async ({ id, ...body }, siteId, dispatch) => {
      const before = await intentNow(id, siteId, dispatch);
      return [{ path: id, before, after: { ...before, ...body } }];
    },
  }),
  skill('deleteIntent', {
    description: 'Deletes an intent with its open drifts and the goals that nobody has taken up.',
    input: z.strictObject({ id: IntentId }), capability: 'intents:write', risk: 'destructive',
    run: ({ id }, { context }, { send }) => send(new DeleteIntent(id, context)),
    preview: async ({ id }, siteId, dispatch) => [{ path: id, before: await intentNow(id, siteId, dispatch), after: null }],
  }),
];
