import { MAX_LIMIT } from '@app/http';
import type { ToolCallAnswer } from '@app/tool-calls/contract';

/** What an agent does about each answer of the door. */
export const DOOR_ANSWERS: Readonly<Record<ToolCallAnswer['status'], string>> = {
  executed: 'it was carried out, once; `result` is what the tool gave',
  pending_approval: 'a person has to decide; nothing has happened yet. Keep `approvalId`, go on with other work or wait on the stream of the run, then send the same call with the same `callId`: the answer is the outcome',
  staged: 'the change goes live by itself at `autoCommitAt` unless somebody vetoes it; the run goes on. What you read meanwhile is still the old content',
  deferred: 'not now (`reason`). Send the same call with the same `callId` after `retryAfterMs`',
  denied: '`reason` and `rule` say why, `facts` say more. It is on record and final for this `callId`: the same call in other words is no way around it. Do something else, or end the run and say what is missing',
  failed: 'it was allowed, and the tool failed; `reason` says how. A new attempt is a new action with a new `callId`, if it makes sense at all',
  indeterminate: 'with the rule `client_executes`: allowed, so carry it out yourself and report to `…/tool-calls/{callId}/outcome`. With any other: nobody knows yet whether it happened, and a person is asked. Never send it again under another `callId`',
};

/** What bounds everybody. */
export const LIMITS: readonly string[] = [
  'a body holds 1 MiB, a result that is recorded 512 KiB',
  `a page of a list holds ${MAX_LIMIT} entries at most (\`limit\`, then \`cursor\` = \`nextCursor\`)`,
  "a run has a budget of calls, time and cost (`budget` of the goal, `budgetUsed` of the run); what ends it is the run's `stopReason`",
  'unknown fields and parameters are refused, and no value is turned into another type',
];
