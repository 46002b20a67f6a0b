import { Injectable } from '@nestjs/common';
import { Executor } from '@app/event-store';
import { governance, toolOf } from '@app/governance/contract';
import { missing, type Outcome } from '@app/kernel';
import { callIn, isOpened, run as runAggregate, type OpenedRun } from '@app/runs/contract';
import { ExactArguments, type CallRef } from '../contract';
import { prepareAction } from '../door/action';
import { CallRecords } from '../door/call-records';
import { differentAction } from '../request-tool-call/request-tool-call.decide';
import type { RequestToolCallBody } from '../request-tool-call/request-tool-call.command';
import { answerOf, type ToolCallAnswer } from '../tool-call-answer.view';

/** Calls of a forked run that lie before the fork: they are answered from the record of the run they were made in, and never run again. */
@Injectable()
export class InheritedCalls {
  constructor(
    private readonly executor: Executor,
    private readonly records: CallRecords,
    private readonly exact: ExactArguments,
  ) {}

  /** Undefined for a call that is not inherited. A fork of a fork asks on, up to the run that made the call. */
  async answer(run: OpenedRun, ref: CallRef, { tool: name, arguments: input }: RequestToolCallBody): Promise<Outcome<ToolCallAnswer> | undefined> {
    const { siteId, callId } = ref;
    if (!run.fork?.inherited.includes(callId)) return undefined;
    const maker = await this.makerOf(run, callId);
    const known = maker && callIn(maker.calls, callId);
    if (!maker || !known) return missing();
    const kept = await this.exact.keep(ref, input, false);
    const { state: site, position } = await this.executor.current(governance, siteId);
    const tool = site.status === 'none' ? undefined : toolOf(site, name);
    const { action } = prepareAction({ ...ref, tool: name, arguments: input, pepper: kept?.pepper }, tool);
    if (known.tool !== action.tool || known.argumentsHash !== action.argumentsHash) return differentAction(callId);
    return { ok: true, data: answerOf(await this.records.of(maker, callId)), position };
  }

  private async makerOf(run: OpenedRun, callId: string): Promise<OpenedRun | undefined> {
    for (let { fork } = run; fork?.inherited.includes(callId); ) {
      const { state } = await this.executor.current(runAggregate, fork.forkOf);
      if (!isOpened(state)) return undefined;
      if (callIn(state.calls, callId)) return state;
      fork = state.fork;
    }
    return undefined;
  }
}
