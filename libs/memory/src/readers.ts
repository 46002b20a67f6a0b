import { Injectable } from '@nestjs/common';
import { EventStore, Executor } from '@app/event-store';
import { missing, personId, reject, type Principal, type Rejected } from '@app/kernel';
import { isOpened, run } from '@app/runs/contract';
import type { Reader } from './scope.policy';

/** What a caller says about on whose behalf it reads. */
export type Claimed = { readonly runId?: string | undefined; readonly goalId?: string | undefined; readonly role?: string | undefined; readonly userId?: string | undefined };
export type FoundReader = { readonly ok: true; readonly reader: Reader } | Rejected;

/**
 * Finds out on whose behalf a caller may read. An agent has the goal of a run of its own and the role it works under, and no other; a person or
 * a service may name a goal and a role of the site; only an admin may name another user.
 */
@Injectable()
export class Readers {
  constructor(
    private readonly executor: Executor,
    private readonly store: EventStore,
  ) {}

  async find(principal: Principal, siteId: string, { runId, goalId, role, userId }: Claimed): Promise<FoundReader> {
    const isAdmin = principal.roles.includes('admin');
    const isAgent = principal.kind === 'agent' && !isAdmin;
    if (userId !== undefined && userId !== personId(principal) && !isAdmin) return reject('forbidden', 'FORBIDDEN', 'Only an admin looks into what is remembered for another user.');
    const user = userId ?? personId(principal);
    if (runId !== undefined) {
      const { state } = await this.executor.current(run, runId);
      if (!isOpened(state) || state.envelope.context.siteId !== siteId || (state.envelope.principalId !== principal.id && !isAdmin)) return missing();
      const runRole = state.agentRole ?? null;
      if ((goalId !== undefined && goalId !== state.goalId) || (role !== undefined && role !== runRole)) return otherThanItsRun();
      return { ok: true, reader: { siteId, role: runRole, goalId: state.goalId, userId: user } };
    }
    const ownRole = principal.agentRole ?? null;
    if (isAgent && (goalId !== undefined || (role !== undefined && role !== ownRole))) return otherThanItsRun();
    if (goalId !== undefined && !(await this.isGoalOf(siteId, goalId))) return missing();
    return { ok: true, reader: { siteId, role: role ?? ownRole, goalId: goalId ?? null, userId: user } };
  }

  private async isGoalOf(siteId: string, goalId: string): Promise<boolean> {
    for await (const first of this.store.read(`goal-${goalId}`)) return first.siteId === siteId;
    return false;
  }
}

const otherThanItsRun = () => reject('forbidden', 'FORBIDDEN', 'An agent reads for the goal and the role that it works under: name the run as `runId`, and nothing else.');
