import { accept, type Context, type Decision } from '@app/kernel';
import { domainOf } from '@app/governance/contract';
import { isLive, type LiveRun, type OpenCall, type OpenedRun } from '@app/runs/contract';
import { subjectOf, type CallEvents } from '../request-tool-call/request-tool-call.decide';

export const WORKER_LOST = 'worker_lost';

type Lost = Extract<OpenCall, { status: 'authorised' }>;

/** Whether a call may simply be made again: a read, or one that does the same when it is made twice under one id. */
export const mayRepeat = (tool: { readonly risk: string; readonly idempotent?: boolean | undefined } | undefined): boolean => tool !== undefined && (tool.risk === 'read' || tool.idempotent === true);

/** A run that is over waits for nobody: what became of the call is not known, and that is taken down. */
export const doubtfulCall = (run: OpenedRun, call: Lost, approvalId: string, expiryMs: number, context: Pick<Context, 'actor' | 'now'>): Decision<CallEvents> => {
  if (isLive(run)) return indeterminateCall(run, call, approvalId, expiryMs, context);
  const { callId, asked: { reservedCostUsd } } = call;
  const data = { callId, reason: 'worker_lost', error: 'The worker of this call was lost; whether it happened is not known.', runtimeMs: 0, costUsd: reservedCostUsd } as const;
  return accept({ run: [{ type: 'ToolCallFailed', data }], goal: [], approval: [] });
};

/** Whether it ran cannot be known, and a guess could do a thing twice or not at all: the run waits for a person, who goes and looks. */
const indeterminateCall = (run: LiveRun, { callId, asked }: Lost, approvalId: string, expiryMs: number, { actor, now }: Pick<Context, 'actor' | 'now'>): Decision<CallEvents> => {
  const { tool, arguments: shown, actionDigest, capability, sealed, handledBy = null } = asked;
  return accept({
    run: [
      { type: 'ToolCallIndeterminate', data: { callId, approvalId, handledBy } },
      { type: 'RunParked', data: { callId, approvalId } },
    ],
    goal: [],
    approval: [
      {
        type: 'ApprovalRequested',
        data: {
          approvalId, siteId: run.envelope.context.siteId, kind: 'tool_call', subject: `Did it happen? ${subjectOf(tool, shown)}`.slice(0, 300), domain: domainOf(capability), quorum: 1,
          humanOnly: true, goalId: run.goalId, runId: run.runId, callId, tool, arguments: shown, actionDigest, capability, policy: WORKER_LOST, agentRole: run.agentRole ?? null,
          ...(sealed !== undefined && { sealed }),
          requestedBy: { kind: actor.kind, id: actor.id }, requestedAt: now.toISOString(), expiresAt: new Date(now.getTime() + expiryMs).toISOString(), autoCommitAt: null,
        },
      },
    ],
  });
};
