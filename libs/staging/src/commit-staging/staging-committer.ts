import { approval } from '@app/approvals/contract';
import { collection, collectionId, item, type Patterns } from '@app/content/contract';
import { idOfText, type EventStore, type Executed, type Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { matchesPattern, patternProblem } from '@app/json-schema';
import { accept, missing, reject, type Context, type Outcome } from '@app/kernel';
import { isFinished, run } from '@app/runs/contract';
import { incident, openIncident } from '@app/trust/contract';
import { staging, type SettledStaging, type StagedChange, type WaitingStaging } from '../staging.state';
import { commitFailureIncident } from '../staging-incidents.policy';
import { failCommit } from './commit-failure.policy';
import { commitStaging, WINDOW } from './commit-staging.decide';
import { humanEdits } from './human-edits';

/** `eventId` is the event that let it come due, where who asks knows it. */
export type Asked = Pick<Context, 'siteId' | 'now' | 'correlationId'> & { readonly eventId?: string | null };
type Streams = ReturnType<typeof streamsOf>;
/** What is known of a staging after an attempt: settled, or waiting still. */
export type Attempted = WaitingStaging | SettledStaging;

const patterns: Patterns = { problem: patternProblem, matches: matchesPattern };

/**
 * Commits stagings, for the clock and for a person alike. Staging, approval and item are one append that expects the versions it was
 * decided on, under the guard of the site's governance: two workers at one deadline commit once, and a pin, a veto or a freeze that came
 * a moment earlier wins.
 */
export class StagingCommitter {
  constructor(
    private readonly store: EventStore,
    private readonly executor: Executor,
  ) {}

  /** Commits if it is time. A staging that is not due, or that was settled already, is answered as it is. */
  async commit(stagingId: string, { siteId, now, correlationId, eventId }: Asked): Promise<Outcome<Attempted>> {
    const known = (await this.executor.current(staging, stagingId)).state;
    if (known.status === 'none' || known.change.siteId !== siteId) return missing();
    const { change } = known;
    const cause = eventId ?? (await this.lastWait(stagingId));
    // The author of the item's new revision is the agent, whoever made it happen; who that was is in the data.
    const { author: { kind, id, role }, runId, goalId } = change;
    const context: Context = {
      actor: { kind, id, ...(role !== undefined && { role }) }, siteId, now, correlationId, commandId: `commit:${cause}`, repeatable: true, runId, goalId,
    };
    const executed = await this.atPresentVersion(change, context);
    if (!executed.ok) return executed;
    const { staging: state } = executed.states;
    return state.status === 'none' ? missing() : { ok: true, data: state, position: executed.position };
  }

  /** Records a failed attempt of the clock; after the last one it opens an incident. A person may still commit or veto. */
  async recordFailure(stagingId: string, error: string, { siteId, now, correlationId, eventId }: Asked): Promise<Outcome<Attempted>> {
    const known = (await this.executor.current(staging, stagingId)).state;
    if (known.status === 'none' || known.change.siteId !== siteId) return missing();
    if (known.status !== 'staged') return { ok: true, data: known, position: 0n };
    const { change } = known;
    const cause = eventId ?? (await this.lastWait(stagingId));
    const incidentId = idOfText('inc', `commit:${stagingId}`);
    const context: Context = {
      actor: WINDOW, siteId, now, correlationId, commandId: `commit-failed:${cause}`, repeatable: true, runId: change.runId, goalId: change.goalId,
    };
    const refs = {
      staging: { aggregate: staging, id: stagingId },
      incident: { aggregate: incident, id: incidentId },
      governance: { aggregate: governance, id: siteId },
    };
    const executed = await this.executor.execute(refs, context, (states) => {
      const failed = failCommit(states.staging, error, incidentId, now);
      if (failed?.data.incidentId !== incidentId) return accept({ staging: failed ? [failed] : [] });
      const opened = openIncident(states, { incidentId, ...commitFailureIncident(change, error) }, context);
      return opened.ok ? accept({ staging: [failed], ...opened.events }) : opened;
    });
    if (!executed.ok) return executed;
    return { ok: true, data: executed.states.staging as Attempted, position: executed.position };
  }

  /** The event that the present attempt follows from: that the change was staged, or that the attempt before failed. */
  private async lastWait(stagingId: string): Promise<string> {
    let cause = stagingId;
    for await (const { type, eventId } of this.store.read(`staging-${stagingId}`)) if (type === 'ChangeStaged' || type === 'StagingCommitFailed') cause = eventId;
    return cause;
  }

  /** What people edited is read up to the very version of the item that the append expects; if it has moved on by then, once more. */
  private async atPresentVersion(change: StagedChange, context: Context): Promise<Executed<Streams>> {
    const streams = streamsOf(change);
    for (;;) {
      const { version: itemVersion } = await this.executor.current(item, change.itemId);
      const edits = await humanEdits(this.store, change.itemId, change.baseVersion, itemVersion);
      const { state: ofRun } = await this.executor.current(run, change.runId);
      const runCancelled = isFinished(ofRun) && ofRun.stopReason === 'cancelled_by_user';
      let moved = false;
      const executed = await this.executor.execute(streams, context, (states, versions) => {
        moved = versions.item !== itemVersion;
        if (moved) return reject('conflict', 'CONFLICT', 'The item has moved on.');
        return commitStaging(states, { itemVersion, humanEdits: edits, runCancelled, now: context.now, patterns });
      });
      if (executed.ok || !moved) return executed;
    }
  }
}

const streamsOf = ({ stagingId, approvalId, itemId, siteId, collection: name }: StagedChange) =>
  ({
    staging: { aggregate: staging, id: stagingId },
    approval: { aggregate: approval, id: approvalId },
    item: { aggregate: item, id: itemId },
    collection: { aggregate: collection, id: collectionId(siteId, name), guard: true },
    governance: { aggregate: governance, id: siteId, guard: true },
  }) as const;
