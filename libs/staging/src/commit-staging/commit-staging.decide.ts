import type { Approval, ApprovalEvent } from '@app/approvals/contract';
import { decideUpdateItem, pinnedAmong, type Collection, type Item, type ItemEvent, type Patterns } from '@app/content/contract';
import { freezeOf, type Governance } from '@app/governance/contract';
import { accept, missing, reject, type Decision } from '@app/kernel';
import type { Dropped, StagingEvent } from '../staging.events';
import type { Staging, StagedChange } from '../staging.state';

export type CommitStates = {
  readonly staging: Staging;
  readonly approval: Approval;
  readonly item: Item;
  readonly collection: Collection;
  readonly governance: Governance;
};
export type CommitEvents = { readonly staging?: readonly StagingEvent[]; readonly approval?: readonly ApprovalEvent[]; readonly item?: readonly ItemEvent[] };
export type CommitFacts = {
  readonly itemVersion: number;
  /** Fields that people edited themselves since the change was staged. */
  readonly humanEdits: ReadonlySet<string>;
  /** A person cancelled the run: its silence commits nothing any more. */
  readonly runCancelled: boolean;
  readonly now: Date;
  readonly patterns: Patterns;
};

/** Who decides by silence; no person and no agent. */
export const WINDOW = { kind: 'service', id: 'veto-window' } as const;

/**
 * Commits a staged change. It happens when its window has closed or a person has said yes, never before, and once. A freeze holds it back.
 * What people pinned or edited meanwhile stays as they left it; what is left of the patch still applies, however far the item has moved.
 */
export const commitStaging = ({ staging, approval, item, collection, governance }: CommitStates, facts: CommitFacts): Decision<CommitEvents> => {
  if (staging.status === 'none' || governance.status === 'none') return missing();
  if (staging.status !== 'staged') return accept({});
  const { change, dueAt } = staging;
  const { now } = facts;
  const word = approval.status === 'approved' ? approval.decided.by : null;
  const isDue = dueAt !== null && now.getTime() >= Date.parse(dueAt);
  if (word === null && !isDue) return accept({});
  const freeze = freezeOf(governance, change);
  if (freeze) return reject('frozen', 'FROZEN', 'A freeze holds this change back until it is lifted.', { freezeId: freeze.freezeId, scope: freeze.scope });
  if (word === null && facts.runCancelled) return abandoned('run_cancelled', [], approval, now);
  if (item.status !== 'live' || collection.status === 'deleted') return abandoned('item_gone', [], approval, now);
  const dropped = droppedFields(change, pinnedAmong(item.pins, Object.keys(change.patch)), facts.humanEdits);
  const kept = new Set(dropped.map(({ field }) => field));
  const patch = Object.fromEntries(Object.entries(change.patch).filter(([field]) => !kept.has(field)));
  if (Object.keys(patch).length === 0) return abandoned('nothing_left', dropped, approval, now);
  const { collection: name, siteId, author: actor, runId, stagingId, constitutionHash } = change;
  const written = decideUpdateItem({ item, collection }, facts.itemVersion, { collection: name, data: patch }, { siteId, now, actor: actorOf(actor), runId }, facts.patterns);
  if (!written.ok) return written;
  const committed = {
    cause: word === null ? ('window' as const) : ('person' as const), by: word === null ? null : { ...word },
    committedAt: now.toISOString(), fields: Object.keys(patch), itemVersion: facts.itemVersion + written.events.length,
  };
  return accept({
    item: written.events.map((event) => (event.type === 'ItemPatched' ? { ...event, data: { ...event.data, staged: { stagingId, constitutionHash } } } : event)),
    staging: [dropped.length === 0 ? { type: 'StagingCommitted', data: committed } : { type: 'StagingCommittedPartially', data: { ...committed, dropped: [...dropped] } }],
    approval: approval.status === 'pending' ? [consentBySilence(approval.request.actionDigest, now)] : [],
  });
};

const actorOf = ({ kind, id, role }: StagedChange['author']) => ({ kind, id, ...(role !== undefined && { role }) });

type DroppedField = Dropped[number];
const droppedFields = ({ patch }: StagedChange, pinned: readonly string[], edited: ReadonlySet<string>): Dropped =>
  Object.keys(patch).flatMap((field): DroppedField[] => {
    if (pinned.includes(field)) return [{ field, reason: 'pinned_by_human' }];
    return edited.has(field) ? [{ field, reason: 'changed_by_human' }] : [];
  });

const consentBySilence = (actionDigest: string, now: Date): ApprovalEvent => ({
  type: 'ApprovalApproved', data: { by: WINDOW, decidedAt: now.toISOString(), channel: 'window', assurance: 'none', actionDigest },
});

type Reason = Extract<StagingEvent, { type: 'StagingAbandoned' }>['data']['reason'];
const SAID: Readonly<Record<Reason, string>> = {
  nothing_left: 'people have taken over every field of the change', item_gone: 'the item is gone', run_cancelled: 'the run has been cancelled',
};
const abandoned = (reason: Reason, dropped: Dropped, approval: Approval, now: Date): Decision<CommitEvents> =>
  accept({
    staging: [{ type: 'StagingAbandoned', data: { reason, dropped: [...dropped], abandonedAt: now.toISOString() } }],
    approval: approval.status === 'pending' ? [{ type: 'ApprovalSuperseded', data: { reason: SAID[reason] } }] : [],
  });
