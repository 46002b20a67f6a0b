import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { goal } from '@app/goals/contract';
import { governance, toolOf } from '@app/governance/contract';
import { matchesPattern } from '@app/json-schema';
import { missing, type Outcome } from '@app/kernel';
import { isLive, isOpened, run } from '@app/runs/contract';
import { capabilitiesOf, principal as principalAggregate } from '@app/sites/contract';
import { maskSecrets } from '@app/vault/contract';
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
    if (!isOpened(on) || on.envelope.context.siteId !== siteId) return missing();
    if (on.envelope.principalId !== principal.id && !principal.roles.includes('admin')) return missing();
    if (!isLive(on)) return runIsOver(on);
    const tool = toolOf(site, name);
    const [holder, asked, target] = await Promise.all([
      this.executor.current(principalAggregate, on.envelope.principalId), this.executor.current(goal, on.goalId), tool ? this.handlers.target(tool, body.arguments, siteId, on.envelope.principalId) : null,
    ]);
    const { action, problems } = prepareAction({ siteId, runId: on.runId, callId: 'call_imagined', tool: name, arguments: body.arguments }, tool);
    const inputs: DoorInputs = {
      capabilities: capabilitiesOf(holder.state, now), argumentProblems: problems, targetProblems: target?.problems, pinnedFields: target?.pinnedFields ?? [], deferral: null,
      origin: asked.state.status === 'none' ? 'user' : asked.state.origin, approved: false, handled: tool !== undefined && this.handlers.handles(tool),
    };
    const shown = maskSecrets(action.arguments).masked;
    const verdict = decideToolCall({ ...inputs, run: on, site, tool, arguments: shown, now, matches: matchesPattern });
    return { ok: true, data: dryRunView(verdict, target?.patch !== undefined && target.patch !== null, shown, version), position };
  }
}
