import { AddPolicy, AddPolicyBody, GetPolicies, RemovePolicy, RemovePolicyBody } from '@app/policies/contract';
import { z } from 'zod';
import { skill, type CoreSkill, type Dispatch } from './core-skill';

const rulesNow = async (siteId: string, { ask }: Dispatch) => {
  const found = await ask(new GetPolicies(siteId));
  return found.ok ? found.data.rules : [];
};

/** Argument policies, rule by rule. */
export const policySkills: readonly CoreSkill[] = [
  skill('listPolicies', {
    description: 'Lists the argument policies of the site in the order in which they are asked.',
    input: z.strictObject({}), capability: 'access:read', risk: 'read', idempotent: true,
    run: (_input, { context: { siteId } }, { ask }) => ask(new GetPolicies(siteId)),
  }),
  skill('createPolicy', {
    description: 'Adds a rule to the argument policies: before another one, or after all of them.',
    input: AddPolicyBody, capability: 'access:create', risk: 'create',
    run: (input, { context }, { send }) => send(new AddPolicy(input, context)),
    preview: ({ rule }) => Promise.resolve([{ path: rule.name, before: null, after: rule }]),
  }),
  skill('deletePolicy', {
    description: 'Takes a rule out of the argument policies.',
    input: RemovePolicyBody, capability: 'access:delete', risk: 'destructive',
    run: (input, { context }, { send }) => send(new RemovePolicy(input, context)),
    preview: async ({ name }, siteId, dispatch) => [{ path: name, before: (await rulesNow(siteId, dispatch)).find((rule) => rule.name === name) ?? null, after: null }],
  }),
];
