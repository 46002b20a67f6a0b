import { Injectable } from '@nestjs/common';
import { approval as approvalAggregate, type Approval } from '@app/approvals/contract';
import { Executor } from '@app/event-store';
import type { Site } from '@app/governance/contract';
import { accept, missing, personId, reject, type Context, type Decision } from '@app/kernel';
import { isFinished, isLive, isOpened, openApprovalsOf, run as runAggregate, supersededBy, type OpenedRun, type Run } from '@app/runs/contract';
import { capabilitiesOf } from '@app/sites/contract';
import type { CallEvents } from '../request-tool-call/request-tool-call.decide';
import type { doorStreams } from './run-streams';

type Streams = ReturnType<typeof doorStreams>;
/** What a decision sees beside the run. */
export type Seen = { readonly site: Site; readonly governanceVersion: number; readonly origin: string; readonly intentId: string | null; readonly capabilities: readonly string[]; /** Whose key opened the run. */ readonly owner: string | undefined; readonly approval: Approval; /** The run of an agent that reviews. */ readonly reviewer: Run };

/** Takes decisions about the calls of a run: whatever they do to run, goal and approvals is one append. */
@Injectable()
export class RunDecisions {
  constructor(private readonly executor: Executor) {}

  /**
   * One decision over run, goal and approval. When it ends the run, the approvals that still hold calls of it are superseded in the same
   * append: only a decision that turns out to end the run is taken again with all of them, for a run may hold hundreds. The run of an agent that reviews is a guard, too.
   */
  async decide(
    streams: Streams,
    context: Context,
    decide: (run: OpenedRun, seen: Seen) => Decision<CallEvents>,
    reviewerRunId?: string,
  ) {
    const reviewer = reviewerRunId === undefined ? {} : { reviewer: { aggregate: runAggregate, id: reviewerRunId, guard: true } };
    for (let open: readonly string[] = []; ; ) {
      const others = open.filter((id) => id !== streams.approval.id);
      const refs = { ...streams, ...reviewer, ...Object.fromEntries(others.map((id) => [`approval ${id}`, { aggregate: approvalAggregate, id }])) } as Streams;
      let grown: readonly string[] | undefined;
      const executed = await this.executor.execute(refs, context, (states, versions) => {
        const run = states.run;
        const { governance: site, goal, approval, principal } = states;
        if (!isOpened(run) || site.status === 'none') return missing();
        const origin = goal.status === 'none' ? 'user' : goal.origin;
        const decision = decide(run, { site, governanceVersion: versions.governance, origin, intentId: goal.status === 'none' ? null : goal.intentId, capabilities: capabilitiesOf(principal, context.now), owner: principal.status === 'known' ? personId(principal.principal) : undefined, approval, reviewer: (states as { readonly reviewer?: Run }).reviewer ?? runAggregate.initial });
        if (!decision.ok) return decision;
        const ended = decision.events.run.reduce(runAggregate.evolve, run as Run);
        if (!isLive(run) || !isFinished(ended)) return decision;
        const now = openApprovalsOf(run).filter((id) => id !== streams.approval.id);
        if (now.some((id) => !others.includes(id))) {
          grown = now;
          return reject('conflict', 'CONFLICT', 'Another call was parked meanwhile.');
        }
        return accept({ ...decision.events, ...Object.fromEntries(now.map((id) => [`approval ${id}`, [supersededBy(ended.status)]])) });
      });
      if (executed.ok || !grown) return executed;
      open = grown;
    }
  }

  /** As the log has it now; for those who look for what other processes left, which a warm state need not know of. */
  async current(runId: string, siteId: string): Promise<OpenedRun | undefined> {
    const { state } = await this.executor.current(runAggregate, runId);
    return isOpened(state) && state.envelope.context.siteId === siteId ? state : undefined;
  }

  async opened(runId: string, siteId: string): Promise<OpenedRun | undefined> {
    const folded = await this.executor.states.load(runAggregate, runId);
    const state = folded.version === 0 ? (await this.executor.current(runAggregate, runId)).state : folded.state;
    return isOpened(state) && state.envelope.context.siteId === siteId ? state : undefined;
  }
}
