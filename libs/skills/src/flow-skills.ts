import { ChangeFlow, ChangeFlowBody, DefineFlow, DefineFlowBody, DeleteFlow, GetFlow, ListFlows, StartFlow } from '@app/flows/contract';
import { reject } from '@app/kernel';
import { z } from 'zod';
import { acting } from './acting';
import { skill, type CoreSkill, type Dispatch } from './core-skill';
import { listed, ListPage } from './list-page';

const FlowId = z.string().regex(/^flow_[0-9a-f]{32}$/, 'Must be the id of a flow');

const flowNow = async (id: string, siteId: string, { ask }: Dispatch) => {
  const found = await ask(new GetFlow(id, siteId));
  return found.ok ? found.data : null;
};

/** Named lists of operations. A flow that a run defines holds no more than the run. */
export const flowSkills: readonly CoreSkill[] = [
  skill('listFlows', {
    description: 'Lists the flows of the site with what starts them and how they last ended.',
    input: ListPage, capability: 'flows:read', risk: 'read', idempotent: true,
    run: (page, { context: { siteId }, after }, { ask }) => listed(ask(new ListFlows(siteId, { ...page, minPosition: after }))),
  }),
  skill('createFlow', {
    description: 'Defines a flow: operations that run by a schedule, by an event or by hand, with no more capabilities than this run has.',
    input: DefineFlowBody, capability: 'flows:write', risk: 'create',
    run: (input, call, dispatch) => acting(call, dispatch, ({ principal }) => dispatch.send(new DefineFlow(input, principal, call.context))),
    preview: (input) => Promise.resolve([{ path: input.name, before: null, after: input }]),
  }),
  skill('updateFlow', {
    description: 'Changes a flow; what is not named stays as it is.',
    input: ChangeFlowBody.extend({ id: FlowId }), capability: 'flows:write', risk: 'write', idempotent: true,
    run: ({ id, ...body }, call, dispatch) => acting(call, dispatch, ({ principal }) => dispatch.send(new ChangeFlow(id, body, principal, call.context))),
    preview: async ({ id, ...body }, siteId, dispatch) => {
      const before = await flowNow(id, siteId, dispatch);
      return [{ path: id, before, after: { ...before, ...body } }];
    },
  }),
  skill('deleteFlow', {
    description: 'Deletes a flow; its key is revoked with it, so what is still under way ends at its next call.',
    input: z.strictObject({ id: FlowId }), capability: 'flows:write', risk: 'destructive',
    run: ({ id }, { context }, { send }) => send(new DeleteFlow(id, context)),
    preview: async ({ id }, siteId, dispatch) => [{ path: id, before: await flowNow(id, siteId, dispatch), after: null }],
  }),
  skill('runFlow', {
    description: 'Starts one occurrence of a flow now. What a flow does starts no flow.',
    input: z.strictObject({ id: FlowId }), capability: 'flows:run', risk: 'write',
    run: ({ id }, call, dispatch) =>
      acting(call, dispatch, ({ origin }) =>
        origin === 'flow'
          ? Promise.resolve(reject('forbidden', 'FORBIDDEN', 'A flow starts no flow: two could call each other for ever.'))
          : dispatch.send(new StartFlow(id, 'manual', call.context))),
  }),
];
