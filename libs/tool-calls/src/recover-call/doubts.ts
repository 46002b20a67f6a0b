import { Injectable } from '@nestjs/common';
import { accept, type Context } from '@app/kernel';
import type { OpenCall } from '@app/runs/contract';
import { RunDecisions } from '../door/run-decisions';
import { doorStreams, type DoorIds } from '../door/run-streams';
import type { CallEvents } from '../request-tool-call/request-tool-call.decide';
import { doubtfulCall } from './indeterminate.decide';
import { questionId } from './question-id';

export type Lost = Extract<OpenCall, { status: 'authorised' }>;

const NOTHING: CallEvents = { run: [], goal: [], approval: [] };

export const isSame = (call: OpenCall | undefined, lost: Lost): call is Lost => call?.status === 'authorised' && call.at === lost.at;

/** Takes down that nobody knows what became of a call, and asks a person about it; once, however often and by whom it is found out. */
@Injectable()
export class Doubts {
  constructor(private readonly decisions: RunDecisions) {}

  raise(ids: Omit<DoorIds, 'approvalId' | 'stagingId'>, lost: Lost, context: Context) {
    const { runId, goalId } = ids;
    const approvalId = questionId(runId, lost);
    return this.decisions.decide(doorStreams({ ...ids, approvalId }), { ...context, runId, goalId }, (state, { site }) => {
      const call = state.calls.open[lost.callId];
      const expiryMs = site.settings.approvalExpiryMsByKind.tool_call ?? site.settings.approvalExpiryMs;
      return isSame(call, lost) ? doubtfulCall(state, call, approvalId, expiryMs, context) : accept(NOTHING);
    });
  }
}
