import { Injectable } from '@nestjs/common';
import { ListApprovals, type ApprovalView } from '@app/approvals/contract';
import { Bus } from '@app/cqrs';
import { ReadModels, type Condition } from '@app/projections';
import type { IncidentView } from '../incident-list/incident.view';
import { trustRuns } from './trust-runs.projection';

const PAGE = 200;
/** Newer decisions say more than old ones: those beyond the newest thousand are not counted. */
const MOST_DECISIONS = 1_000;

type Key = { readonly siteId: string; readonly agentRole: string; readonly capability: string };
export type Decisions = { readonly decided: number; readonly approved: number };

/** What the log says about a role under a capability. */
@Injectable()
export class TrustEvidence {
  constructor(
    private readonly reads: ReadModels,
    private readonly bus: Bus,
  ) {}

  /** Runs in a row that succeeded, from the newest ended one backwards, counted up to `enough`. */
  async streak({ siteId, agentRole, capability }: Key, enough: number): Promise<number> {
    const where: Condition[] = [
      { path: 'agentRole', is: 'eq', value: agentRole },
      { path: 'capabilities', is: 'contains', value: capability },
      { path: 'status', is: 'in', value: ['succeeded', 'failed', 'cancelled'] },
    ];
    let streak = 0;
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await this.reads.list(trustRuns, { siteId, where, sort: { field: 'endedAt', direction: 'desc' }, limit: PAGE, ...(cursor !== undefined && { cursor }) });
      for (const { status } of page.rows) {
        if (status !== 'succeeded' || streak >= enough) return streak;
        streak++;
      }
      cursor = page.nextCursor;
    }
    return streak;
  }

  /** What humans decided about actions. Decisions of agents and services count as nothing, and neither do promotions themselves. */
  async decisions({ siteId, agentRole, capability }: Key): Promise<Decisions> {
    const humans: ApprovalView[] = [];
    for (let cursor: string | null | undefined; cursor !== null && humans.length < MOST_DECISIONS; ) {
      const filter = { agentRole, capability, decidedByKind: 'human', limit: PAGE, cursor };
      const page = await this.bus.ask(new ListApprovals(siteId, filter));
      humans.push(...page.rows.filter(({ kind, status }) => kind !== 'promotion' && (status === 'approved' || status === 'rejected')));
      cursor = page.nextCursor;
    }
    return { decided: humans.length, approved: humans.filter(({ status }) => status === 'approved').length };
  }

  /** Open incidents that name this role, and this capability or none. */
  openIncidents = (open: readonly IncidentView[], { agentRole, capability }: Key): number =>
    open.filter((each) => each.agentRole === agentRole && (each.capability === null || each.capability === capability)).length;

  /** Waits until everything up to a position is counted. */
  async reached(position: bigint): Promise<void> {
    await this.reads.reached(trustRuns, position);
  }
}
