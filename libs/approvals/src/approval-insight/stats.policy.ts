import type { ApprovalView } from '../approval-list/approval.view';
import type { ApprovalStats } from './insight.view';

type Row = Pick<ApprovalView, 'policy' | 'tool' | 'agentRole' | 'status' | 'decision' | 'decidedByKind' | 'approvedArguments' | 'requestedAt' | 'decidedAt'>;

/** Fewer decisions say too little about the next one. */
const ENOUGH = 10;
const NEARLY_ALWAYS = 0.95;
const NEARLY_NEVER = 0.05;
/** A low level is raised by a grant or a promotion; a rule that allows has no say below level 2. */
const NOT_BY_RULE = 'autonomy';

const isDecided = ({ decision }: Row) => decision !== null;
const approvedIn = (rows: readonly Row[]) => rows.filter(({ decision }) => decision === 'approved').length;

/** Per policy, the most decided first. */
export const statsOf = (rows: readonly Row[]): readonly ApprovalStats[] =>
  [...Map.groupBy(rows, ({ policy }) => policy)].map(([policy, all]) => statsOfPolicy(policy, all)).toSorted((a, b) => b.decided - a.decided);

const statsOfPolicy = (policy: string, rows: readonly Row[]): ApprovalStats => {
  const decided = rows.filter(isDecided);
  const approved = approvedIn(decided);
  return {
    policy, decided: decided.length, approved, rejected: decided.length - approved, expired: rows.filter(({ status }) => status === 'expired').length,
    approveRate: decided.length === 0 ? null : approved / decided.length,
    medianDecisionMs: median(decided.map(({ requestedAt, decidedAt }) => Date.parse(decidedAt ?? requestedAt) - Date.parse(requestedAt))),
    suggestions: policy === NOT_BY_RULE ? [] : suggestionsFrom(decided),
  };
};

/** Only humans count: a rule must not be made of what agents decided about each other. */
const suggestionsFrom = (rows: readonly Row[]): ApprovalStats['suggestions'] => {
  const humans = rows.filter(({ decidedByKind, tool }) => decidedByKind === 'human' && tool !== null);
  return [...Map.groupBy(humans, ({ tool, agentRole }) => JSON.stringify([tool, agentRole])).values()].flatMap((group) => {
    const { tool, agentRole } = group[0]!;
    const rate = approvedIn(group) / group.length;
    const untouched = group.every(({ approvedArguments }) => approvedArguments === null);
    const effect = rate >= NEARLY_ALWAYS && untouched ? 'allow' : rate <= NEARLY_NEVER ? 'deny' : undefined;
    if (group.length < ENOUGH || effect === undefined) return [];
    const who = agentRole === null ? tool! : `${tool!} of ${agentRole}`;
    const why = `People approved ${approvedIn(group)} of ${group.length} calls to ${who}${effect === 'allow' ? ' and changed none' : ''}.`;
    const when = { tool: tool!, ...(agentRole !== null && { role: agentRole }) };
    return [{ rule: { name: `${effect} ${who}`.slice(0, 100), reason: why, when, then: { do: effect }, mode: 'shadow' }, why }];
  });
};

const median = (values: readonly number[]): number | null => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length === 0) return null;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};
