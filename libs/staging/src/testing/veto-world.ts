import { approvalEvents } from '@app/approvals/contract';
import { collection, collectionEvents, decideUpdateItem, item, itemEvents, type ItemData } from '@app/content/contract';
import { EventStore, Executor, States } from '@app/event-store';
import { governance, governanceEvents, type GovernanceEvent } from '@app/governance/contract';
import { goalEvents } from '@app/goals/contract';
import { accept, Catalogue, type Context, type Event, type Recorded } from '@app/kernel';
import { matchesPattern, patternProblem } from '@app/json-schema';
import { runEvents } from '@app/runs/contract';
import { incidentEvents } from '@app/trust/contract';
import { CommitStagingNow } from '../commit-staging/commit-staging.command';
import { CommitStagingNowHandler } from '../commit-staging/commit-staging.handler';
import { dueCommit } from '../commit-staging/due-commits';
import { StagingCommitter } from '../commit-staging/staging-committer';
import { stageChange } from '../stage-change/stage-change.policy';
import { stagingEvents } from '../staging.events';
import { VetoStaging } from '../veto-staging/veto-staging.command';
import { VetoStagingHandler } from '../veto-staging/veto-staging.handler';

export const catalogue = new Catalogue(governanceEvents, collectionEvents, itemEvents, runEvents, goalEvents, approvalEvents, incidentEvents, stagingEvents);

export const SITE = 'site_a';
export const ITEM = 'item_0190f5b2c0de7abc8def0123456789ab';
export const STAGING = 'stg_0190f5b2c0de7abc8def0123456789ab';
export const APPROVAL = 'appr_0190f5b2c0de7abc8def0123456789ab';
export const START = Date.parse('2030-01-01T10:00:00.000Z');
export const WINDOW_MS = 4 * 3_600_000;
export const ROBOT = { kind: 'agent', id: 'key_robot', role: 'Writer' } as const;
export const ADA = { kind: 'human', id: 'key_ada' } as const;

let commands = 0;
/** Minutes are counted from the moment of staging. */
export const at = (minutes: number) => new Date(START + minutes * 60_000);
export const contextAt = (minutes: number, more: Partial<Context> = {}): Context => ({
  actor: ADA, siteId: SITE, now: at(minutes), correlationId: 'corr', commandId: `cmd-${commands++}`, ...more,
});

/** A site with one item, a role at level 3, and a change of it that was staged at minute 0. */
export const stagedWorld = async (store: EventStore, patch: Record<string, ItemData[string]>, before: Record<string, ItemData[string]>) => {
  const field = (name: string) => ({ name, type: 'text' as const });
  const write = async (streamId: string, events: readonly Event[]) => {
    const written = await store.append([{ streamId, expected: 'any', events }], [], contextAt(0, { actor: ROBOT }));
    if (!written.ok) throw new Error(`The world could not be made: ${JSON.stringify(written)}`);
  };
  await write(`governance-${SITE}`, [
    { type: 'SiteCreated', data: { siteId: SITE, name: 'A' } },
    { type: 'AutonomyGranted', data: { agentRole: 'Writer', capability: 'items:update', level: 3, from: null, expiresAt: null, grantedBy: 'key_ada' } },
  ]);
  await write(`collection-${SITE}.articles`, [{ type: 'CollectionCreated', data: { siteId: SITE, name: 'articles', fields: Object.keys(before).map(field), at: at(0).toISOString() } }]);
  await write(`item-${ITEM}`, [{ type: 'ItemCreated', data: { siteId: SITE, collection: 'articles', data: before, at: at(0).toISOString() } }]);
  const { staging, approval } = stageChange(
    {
      stagingId: STAGING, siteId: SITE, collection: 'articles', itemId: ITEM, patch, before: Object.fromEntries(Object.keys(patch).map((name) => [name, before[name] ?? null])), baseVersion: 1,
      goalId: 'goal_1', runId: 'run_1', callId: 'call_1', tool: 'updateItem', actionDigest: 'a'.repeat(64), author: { ...ROBOT }, agentName: 'robot', agentRole: 'Writer', intentId: null,
      capability: 'items:update', approvalId: APPROVAL, constitutionHash: null,
    },
    { domain: 'items', subject: 'updateItem articles', arguments: {}, policy: 'ask', requestedBy: ROBOT }, at(0), WINDOW_MS,
  );
  await write(`staging-${STAGING}`, [staging]);
  await write(`approval-${APPROVAL}`, [approval]);
};

/** One process with its own warm states over the common log. */
export const processOn = (store: EventStore) => {
  const executor = new Executor(store, new States(store));
  const commit = dueCommit(new StagingCommitter(store, executor));
  const refs = { item: { aggregate: item, id: ITEM }, collection: { aggregate: collection, id: `${SITE}.articles`, guard: true } } as const;
  const governed = (context: Context, events: readonly GovernanceEvent[]) =>
    executor.execute({ governance: { aggregate: governance, id: SITE } }, context, () => accept({ governance: events }));
  const patterns = { problem: patternProblem, matches: matchesPattern };
  return {
    executor,
    /** What a clock does when it thinks that it is time. */
    tick: (minutes: number) => commit(STAGING, { siteId: SITE, now: at(minutes), correlationId: 'corr' }),
    veto: (minutes: number) => new VetoStagingHandler(executor).execute(new VetoStaging(STAGING, {}, contextAt(minutes))),
    commitNow: (minutes: number) => new CommitStagingNowHandler(store, executor).execute(new CommitStagingNow(STAGING, contextAt(minutes))),
    edit: (minutes: number, name: string, value: string, by: Partial<Context> = {}) => {
      const context = contextAt(minutes, by);
      return executor.execute(refs, context, (states, versions) => {
        const decided = decideUpdateItem(states, versions.item, { collection: 'articles', data: { [name]: value } }, context, patterns);
        return decided.ok ? accept({ item: decided.events }) : decided;
      });
    },
    pin: (minutes: number, name: string) =>
      executor.execute({ item: refs.item }, contextAt(minutes), ({ item: state }) =>
        accept({ item: state.status === 'live' && !Object.hasOwn(state.pins, name) ? [{ type: 'FieldPinned', data: { collection: 'articles', field: name, by: ADA.id, at: at(minutes).toISOString() } }] : [] }),
      ),
    freeze: (minutes: number, freezeId: string) =>
      governed(contextAt(minutes), [{ type: 'ScopeFrozen', data: { freezeId, scope: 'role', targetId: 'Writer', reason: null, by: ADA.id } }]),
    lift: (minutes: number, freezeId: string) => governed(contextAt(minutes), [{ type: 'FreezeLifted', data: { freezeId, by: ADA.id } }]),
  };
};

export const logOf = async (store: EventStore): Promise<readonly Recorded[]> => {
  const events: Recorded[] = [];
  for await (const page of store.readAll(0n)) events.push(...page);
  return events;
};
