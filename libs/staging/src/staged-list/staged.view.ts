import { z } from 'zod';
import { KEPT_BECAUSE } from '../staging.events';
import type { SettledStaging, WaitingStaging } from '../staging.state';

export const STAGING_STATUSES = ['staged', 'committed', 'committed_partially', 'vetoed', 'abandoned'] as const;

/** A change that waits, or has waited, in its veto window. `remainingMs` is 0 from the deadline on. */
export const StagedView = z.object({
  id: z.string(),
  stagingId: z.string(),
  status: z.enum(STAGING_STATUSES),
  collection: z.string(),
  itemId: z.string(),
  patch: z.record(z.string(), z.json()),
  before: z.record(z.string(), z.json()),
  agentName: z.string(),
  agentRole: z.string().nullable(),
  capability: z.string(),
  goalId: z.string(),
  runId: z.string(),
  callId: z.string(),
  approvalId: z.string(),
  constitutionHash: z.string().nullable(),
  stagedAt: z.string(),
  autoCommitAt: z.string(),
  remainingMs: z.int(),
  /** Of the commit: how often it failed, and why the last time. */
  attempts: z.int(),
  lastError: z.string().nullable(),
  settledAt: z.string().nullable(),
  settledBy: z.string().nullable(),
  /** How a commit came about: `auto_commit` and `auto_commit_partial` by silence, `commit` and `commit_partial` by a person's word. */
  outcome: z.string().nullable(),
  dropped: z.array(z.object({ field: z.string(), reason: z.enum(KEPT_BECAUSE) })).readonly(),
}).meta({ id: 'StagedChange' });
export type StagedView = Readonly<z.infer<typeof StagedView>>;

export const remainingMs = (autoCommitAt: string, now: Date): number => Math.max(0, Date.parse(autoCommitAt) - now.getTime());

/** From the fold of the stream, for the answer of a command. */
export const stagedView = (state: WaitingStaging | SettledStaging, now: Date): StagedView => {
  const {
    stagingId, collection, itemId, patch, before, agentName, agentRole, capability, goalId, runId, callId, approvalId, constitutionHash, stagedAt, autoCommitAt,
  } = state.change;
  const waits = state.status === 'staged';
  return {
    id: stagingId, stagingId, status: state.status, collection, itemId, patch, before, agentName, agentRole, capability, goalId, runId, callId, approvalId,
    constitutionHash, stagedAt, autoCommitAt, remainingMs: remainingMs(autoCommitAt, now),
    attempts: waits ? state.attempts : 0, lastError: waits ? state.lastError : null,
    settledAt: waits ? null : state.at, settledBy: waits ? null : state.by, outcome: waits ? null : outcomeOf(state), dropped: waits ? [] : state.dropped,
  };
};

const outcomeOf = ({ status, by }: SettledStaging): string => {
  if (status === 'vetoed' || status === 'abandoned') return status;
  return `${by === null ? 'auto_commit' : 'commit'}${status === 'committed' ? '' : '_partial'}`;
};
