import { z } from 'zod';
import { Envelope, RUN_STATUSES } from '../budget.schema';
import type { OpenCall, SettledCall } from '../run-calls.state';
import { isFinished, openCallsOf, type OpenedRun } from '../run.state';

const CallView = z.object({
  callId: z.string(),
  tool: z.string(),
  status: z.enum(['executed', 'pending_approval', 'staged', 'denied', 'deferred', 'failed', 'running', 'indeterminate']),
  approvalId: z.string().nullable(),
  reason: z.string().nullable(),
  rule: z.string().nullable(),
}).meta({ id: 'RunCall' });

/** A run as of now: what it may do, what it has spent, and every call it made. */
export const RunView = z.object({
  runId: z.string(),
  goalId: z.string(),
  agentName: z.string(),
  agentRole: z.string().nullable(),
  kind: z.enum(['task', 'external']),
  status: z.enum(RUN_STATUSES),
  stopReason: z.string().nullable(),
  reason: z.string().nullable(),
  result: z.json(),
  envelope: Envelope,
  budgetUsed: z.object({ toolCalls: z.int(), runtimeMs: z.number(), costUsd: z.number(), artifactBytes: z.int() }),
  toolCalls: z.array(CallView),
  approvals: z.array(z.string()),
  metrics: z.object({ stopReason: z.string().nullable(), constitutionHash: z.string().nullable(), toolCalls: z.int() }),
}).meta({ id: 'Run' });
export type RunView = z.infer<typeof RunView>;

export const runView = (run: OpenedRun): RunView => {
  const { runId, goalId, agentName, agentRole = null, kind, status, envelope, spent, approvals } = run;
  const { stopReason = null, reason = null, result = null } = isFinished(run) ? run : {};
  return {
    runId, goalId, agentName, agentRole, kind, status, stopReason, reason, result: result as RunView['result'], envelope, budgetUsed: spent,
    toolCalls: [...run.calls.settled.flatMap((block) => Object.values(block).map(settledView)), ...openCallsOf(run).map(openView)],
    approvals: [...approvals],
    metrics: { stopReason, constitutionHash: run.constitution?.hash ?? null, toolCalls: spent.toolCalls },
  };
};

const settledView = ({ callId, tool, status, approvalId, reason, rule }: SettledCall): RunView['toolCalls'][number] => ({
  callId, tool, status, approvalId: approvalId ?? null, reason: reason ?? null, rule: rule ?? null,
});

const openView = (call: OpenCall): RunView['toolCalls'][number] => {
  const { callId, tool } = call;
  const common = { callId, tool, approvalId: null, reason: null, rule: null };
  switch (call.status) {
    case 'authorised':
      return { ...common, status: 'running', approvalId: call.asked.approvalId ?? null };
    case 'indeterminate':
      return { ...common, status: 'indeterminate', approvalId: call.question.approvalId };
    case 'parked':
      return { ...common, status: 'pending_approval', approvalId: call.asked.approvalId, reason: call.lastError ?? null };
    case 'deferred':
      return { ...common, status: 'deferred', reason: call.deferral.reason, rule: call.deferral.rule };
  }
};
