import type { ApprovalView } from '../approval-list/approval.view';
import type { ApprovalFeedback } from './insight.view';

type Decided = Pick<ApprovalView, 'agentRole' | 'tool' | 'status' | 'decision' | 'reason' | 'arguments' | 'approvedArguments'>;

const MOST_REASONS = 5;

/** Per role and tool, the most decided first. Rows come newest first; those that nobody decided do not count. */
export const feedbackOf = (rows: readonly Decided[]): readonly ApprovalFeedback[] => {
  const groups = Map.groupBy(rows.filter(({ decision, tool }) => decision !== null && tool !== null), ({ agentRole, tool }) => JSON.stringify([agentRole, tool]));
  return [...groups.values()].map(feedbackOfGroup).toSorted((a, b) => b.decided - a.decided);
};

const feedbackOfGroup = (rows: readonly Decided[]): ApprovalFeedback => {
  const { agentRole, tool } = rows[0]!;
  const count = (is: (row: Decided) => boolean) => rows.filter(is).length;
  const changed = new Map<string, number>();
  for (const { arguments: asked, approvedArguments } of rows) {
    if (approvedArguments !== null) for (const pointer of changesBetween(asked, approvedArguments)) changed.set(pointer, (changed.get(pointer) ?? 0) + 1);
  }
  return {
    agentRole, tool: tool!, decided: rows.length,
    approvedUnchanged: count((row) => row.decision === 'approved' && row.approvedArguments === null),
    approvedEdited: count((row) => row.decision === 'approved' && row.approvedArguments !== null),
    changesRequested: count((row) => row.decision === 'changes_requested'),
    rejected: count((row) => row.decision === 'rejected'),
    changed: [...changed].map(([pointer, times]) => ({ pointer, times })).toSorted((a, b) => b.times - a.times),
    reasons: rows.flatMap(({ reason }) => (reason === null ? [] : [reason])).slice(0, MOST_REASONS),
  };
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON pointers of what differs; objects are compared member by member, everything else as a whole. */
export const changesBetween = (before: unknown, after: unknown, at = ''): readonly string[] => {
  if (!isRecord(before) || !isRecord(after)) return JSON.stringify(before) === JSON.stringify(after) ? [] : [at];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    changesBetween(own(before, key), own(after, key), `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
};

const own = (record: Readonly<Record<string, unknown>>, key: string) => (Object.hasOwn(record, key) ? record[key] : undefined);
