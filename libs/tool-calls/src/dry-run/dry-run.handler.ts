import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { goal } from '@app/goals/contract';
import { governance, toolOf } from '@app/governance/contract';
import { matchesPattern } from '@app/json-schema';
import { missing, type Outcome } from '@app/kernel';
import { isFinished, isLive, run } from '@app/runs/contract';
import { capabilitiesOf, principal as principalAggregate } from '@app/sites/contract';
import { ToolHandlers } from '../contract';
import { prepareAction } from '../door/action';
import { decideToolCall, type DoorInputs } from '../door/door.policy';
import { runIsOver } from '../request-tool-call/request-tool-call.decide';
import { DryRunToolCall } from './dry-run.query';
import { dryRunView, type DryRunView } from './dry-run.view';
import { imaginedRun } from './imagined-run.policy';

@QueryHandler(DryRunToolCall)
export class DryRunToolCallHandler implements IQueryHandler<DryRunToolCall> {
  constructor(
    private readonly executor: Executor,
    private readonly handlers: ToolHandlers,
  ) {}

  /** Looks up what the door looks up and asks the function that the door asks. */
  async execute({ tool: name, body, principal, context }: DryRunToolCall): Promise<Outcome<DryRunView>> {
    const { siteId, now } = context;
    const { state: site, version, position } = await this.executor.current(governance, siteId);
    if (site.status === 'none') return missing();
    const on = body.runId === undefined ? imaginedRun(site, principal, body.role) : (await this.executor.current(run, body.runId)).state;
    if ((!isLive(on) && !isFinished(on)) || on.envelope.context.siteId !== siteId) return missing();
    if (on.envelope.principalId !== principal.id && !principal.roles.includes('admin')) return missing();
    if (!isLive(on)) return runIsOver(on);
    const [holder, asked, target] = await Promise.all([
      this.executor.current(principalAggregate, on.envelope.principalId), this.executor.current(goal, on.goalId), this.handlers.target(name, body.arguments, siteId),
    ]);
    const tool = toolOf(site, name);
    const { action, problems } = prepareAction({ siteId, runId: on.runId, callId: 'call_imagined', tool: name, arguments: body.arguments }, tool);
    const inputs: DoorInputs = {
      capabilities: capabilitiesOf(holder.state, now), argumentProblems: problems, pinnedFields: target?.pinnedFields ?? [], deferral: null,
      origin: asked.state.status === 'none' ? 'user' : asked.state.origin, approved: false, handled: this.handlers.handles(name),
    };
    const verdict = decideToolCall({ ...inputs, run: on, site, tool, arguments: action.arguments, now, matches: matchesPattern });
    return { ok: true, data: dryRunView(verdict, target?.patch !== undefined && target.patch !== null, action.arguments, version), position };
  }
}
