import {
  CreateSubscription, CreateSubscriptionBody, DeleteSubscription, GetSubscriptionStatus, ListSubscriptions, ReplaySubscription, ReplaySubscriptionBody,
} from '@app/cdc/contract';
import { DeploymentFilter, GetDeployment, ListDeployments, ListDeploymentTargets, TriggerDeployment, TriggerDeploymentBody } from '@app/deployments/contract';
import { reject } from '@app/kernel';
import { z } from 'zod';
import { skill, type CoreSkill, type Dispatch } from './core-skill';
import { listed, ListPage } from './list-page';

const DeploymentId = z.string().regex(/^dep_[0-9a-f]{32}$/, 'Must be the id of a deployment');
const SubscriptionId = z.string().regex(/^sub_[0-9a-f]{32}$/, 'Must be the id of a subscription');

/** Where no secret is named, a webhook is signed with the site's own: one that is made for a subscription would have to be told to an agent. */
const signedBySite = ({ target, ...body }: CreateSubscriptionBody): CreateSubscriptionBody => ({
  ...body, target: target.type === 'webhook' ? { ...target, secret: target.secret ?? 'secret://webhook-signing' } : target,
});

const subscriptionNow = async (id: string, siteId: string, { ask }: Dispatch) => {
  const found = await ask(new GetSubscriptionStatus(id, siteId));
  return found.ok ? found.data : null;
};

/** What reaches out of the site. Whatever begins, repeats or ends such a thing is dangerous; whoever only looks is not. */
export const deliverySkills: readonly CoreSkill[] = [
  skill('listDeploymentTargets', {
    description: 'Lists the places that this site can be deployed to.',
    input: ListPage, capability: 'deployments:read', risk: 'read', idempotent: true,
    run: (page, { context: { siteId } }, { ask }) => listed(ask(new ListDeploymentTargets(siteId, page))),
  }),
  skill('listDeployments', {
    description: 'Lists deployments, newest first; those of one target or one status where that is given.',
    input: ListPage.extend(DeploymentFilter.shape), capability: 'deployments:read', risk: 'read', idempotent: true,
    run: (page, { context: { siteId }, after }, { ask }) => listed(ask(new ListDeployments(siteId, { ...page, minPosition: after }))),
  }),
  skill('getDeploymentStatus', {
    description: 'Tells how one deployment stands.',
    input: z.strictObject({ id: DeploymentId }), capability: 'deployments:read', risk: 'read', idempotent: true,
    run: ({ id }, { context: { siteId } }, { ask }) => ask(new GetDeployment(id, siteId)),
  }),
  skill('triggerDeployment', {
    description: 'Calls the deploy hook of one target and tells what it answered.',
    input: TriggerDeploymentBody, capability: 'deployments:write', risk: 'write', dangerous: true, idempotent: true,
    run: async (body, { context }, { send }) => {
      const triggered = await send(new TriggerDeployment(body, context));
      if (!triggered.ok || triggered.data.failure === null) return triggered;
      const { id, failure } = triggered.data;
      return reject('unavailable', 'UNAVAILABLE', `Deployment ${id} failed. ${failure.code}: ${failure.reason}`, { deploymentId: id });
    },
    preview: ({ target, parameters = {} }) => Promise.resolve([{ path: target, before: null, after: parameters }]),
  }),
  skill('listCdcSubscriptions', {
    description: 'Lists who is sent the events of this site.',
    input: ListPage, capability: 'cdc:manage', risk: 'read', idempotent: true,
    run: (page, { context: { siteId }, after }, { ask }) => listed(ask(new ListSubscriptions(siteId, { ...page, minPosition: after }))),
  }),
  skill('getCdcSubscriptionStatus', {
    description: 'Tells how far the deliveries of one subscription are, and what keeps them from going on.',
    input: z.strictObject({ id: SubscriptionId }), capability: 'cdc:manage', risk: 'read', idempotent: true,
    run: ({ id }, { context: { siteId } }, { ask }) => ask(new GetSubscriptionStatus(id, siteId)),
  }),
  skill('createCdcSubscription', {
    description: 'Sends the events of this site to a webhook, a subject of the message broker or a syslog receiver, from now on or from a position of the log.',
    input: CreateSubscriptionBody, capability: 'cdc:manage', risk: 'create', dangerous: true, idempotent: true,
    run: (body, { context }, { send }) => send(new CreateSubscription(signedBySite(body), context)),
    preview: (body) => Promise.resolve([{ path: body.name, before: null, after: signedBySite(body) }]),
  }),
  skill('replayCdcSubscription', {
    description: 'Delivers the events of one subscription again, from a position of the log on.',
    input: ReplaySubscriptionBody.extend({ id: SubscriptionId }), capability: 'cdc:manage', risk: 'write', dangerous: true, idempotent: true,
    run: ({ id, ...body }, { context }, { send }) => send(new ReplaySubscription(id, body, context)),
    preview: async ({ id, fromPosition }, siteId, dispatch) => [{ path: `${id}/position`, before: (await subscriptionNow(id, siteId, dispatch))?.position ?? null, after: fromPosition }],
  }),
  skill('deleteCdcSubscription', {
    description: 'Ends the deliveries of one subscription for good.',
    input: z.strictObject({ id: SubscriptionId }), capability: 'cdc:manage', risk: 'destructive', dangerous: true, idempotent: true,
    run: ({ id }, { context }, { send }) => send(new DeleteSubscription(id, context)),
    preview: async ({ id }, siteId, dispatch) => [{ path: id, before: await subscriptionNow(id, siteId, dispatch), after: null }],
  }),
];
