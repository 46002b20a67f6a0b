import { Injectable } from '@nestjs/common';
import { Executor } from '@app/event-store';
import { governance, lackingCapabilities } from '@app/governance/contract';
import { isOpened, run } from '@app/runs/contract';
import { capabilitiesOf, principal } from '@app/sites/contract';

/** What a run may use now: what its key holds, what it held when the run was opened, and what its role allows. */
@Injectable()
export class HeldByRun {
  constructor(private readonly executor: Executor) {}

  /** Whether it lacks a capability, as the door would say. */
  async lacks(runId: string, capability: string, siteId: string, now: Date): Promise<boolean> {
    const { state } = await this.executor.states.load(run, runId);
    if (!isOpened(state) || state.envelope.context.siteId !== siteId) return true;
    const { agentRole, envelope } = state;
    const [holder, site] = await Promise.all([this.executor.current(principal, envelope.principalId), this.executor.current(governance, siteId)]);
    return site.state.status === 'none' || lackingCapabilities(site.state, agentRole, [capabilitiesOf(holder.state, now), envelope.capabilities], [capability]).length > 0;
  }
}
