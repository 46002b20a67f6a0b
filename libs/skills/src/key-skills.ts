import type { Outcome } from '@app/kernel';
import { IssueApiKey, IssueApiKeyBody, ListApiKeys, RevokeApiKey, RotateApiKey, type IssuedKey } from '@app/sites/contract';
import { z } from 'zod';
import { acting } from './acting';
import { skill, type CoreSkill } from './core-skill';
import { listed, ListPage } from './list-page';

const KeyInput = z.strictObject({ id: z.string().regex(/^key_[0-9a-f]{32}$/, 'Must be the id of a key') });

/** What an agent reads ends in its model, in the logs of whoever runs that, and in the record here: no secret goes that way. */
const unseen = async (issuing: Promise<Outcome<IssuedKey>>): Promise<Outcome<IssuedKey>> => {
  const issued = await issuing;
  if (!issued.ok) return issued;
  const { id } = issued.data;
  return { ...issued, data: { id, key: null, notice: `Agents are shown no secret. Whoever may write keys gets one, once, by POST /api/v1/api-keys/${id}/rotate.` } };
};

/** Keys of the site. A key that is made in a run never does more than the run. */
export const keySkills: readonly CoreSkill[] = [
  skill('listApiKeys', {
    description: 'Lists the keys of the site, without their secrets.',
    input: ListPage, capability: 'api-keys:read', risk: 'read', idempotent: true,
    run: (page, { context: { siteId }, after }, { ask }) => listed(ask(new ListApiKeys(siteId, { ...page, minPosition: after }))),
  }),
  skill('createApiKey', {
    description: 'Issues a key that may do no more than this run. Its secret is shown to no agent: a person fetches it by rotating the key.',
    input: IssueApiKeyBody, capability: 'api-keys:create', risk: 'create', dangerous: true,
    run: (input, call, dispatch) => acting(call, dispatch, ({ principal }) => unseen(dispatch.send(new IssueApiKey(input, principal, call.context)))),
    preview: (input) => Promise.resolve([{ path: input.name, before: null, after: input }]),
  }),
  skill('rotateApiKey', {
    description: 'Makes the secret of a key worthless at once. The new one is shown to no agent: a person fetches one by rotating the key again.',
    input: KeyInput, capability: 'api-keys:write', risk: 'write', dangerous: true,
    run: ({ id }, call, dispatch) => acting(call, dispatch, ({ principal }) => unseen(dispatch.send(new RotateApiKey(id, principal, call.context)))),
  }),
  skill('revokeApiKey', {
    description: 'Revokes a key: it stops working at once, for ever.',
    input: KeyInput, capability: 'api-keys:delete', risk: 'destructive', idempotent: true,
    run: ({ id }, call, dispatch) => acting(call, dispatch, ({ principal }) => dispatch.send(new RevokeApiKey(id, principal, call.context))),
  }),
];
