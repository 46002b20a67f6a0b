import type { ReferenceTexts } from '@app/http';
import { DIGEST, AT, id } from './ids';

type Operations = ReferenceTexts['operations'];

const RENAME = { tool: 'updateItem', arguments: { collection: 'products', id: id('item'), data: { title: 'Teapot' } }, callId: 'rename-teapot' };

/** Goals, runs, and the door. */
export const work: Operations = {
  goalsCreate: {
    summary: 'Creates a goal and its run',
    body: { title: 'Tidy the shelf', agentName: 'tidy-bot', agentRole: 'Writer', budget: { maxToolCalls: 50 } },
    answer: { goalStatus: 'running', runStatus: 'running' },
    second: { goalStatus: 'running', runStatus: 'queued' },
  },
  goalsList: { summary: 'Lists goals, newest first' },
  goalsGet: { summary: 'Shows a goal' },
  goalTreeDecompose: { summary: 'Divides a goal into parts, each with a goal of its own', body: { goals: [{ title: 'Titles of teapots', agentRole: 'Writer', maxToolCalls: 10 }, { title: 'Check the titles', agentRole: 'FactChecker', maxToolCalls: 5 }] } },
  goalTreeSettle: { summary: 'Settles a goal whose parts have all ended' },
  goalTreeCancel: { summary: 'Cancels a goal with its run and its parts', body: { reason: 'The shelf is gone' } },
  startGoalStart: { summary: 'Takes up a goal that waits for an agent', body: { agentName: 'tidy-bot' } },
  retryRunRetry: { summary: 'Starts the task of an ended run again, in a run of its own' },
  forkRunFork: { summary: 'Opens a run that continues another one from one of its calls', body: { atCallId: 'rename-teapot', overrides: { approvalPolicy: 'before_execute' } } },
  runsList: { summary: 'Lists runs, newest first' },
  runsGet: { summary: 'Shows a run with its calls, budget and envelope' },
  runsEvents: { summary: 'Lists the events of a run, oldest first', answer: [{ type: 'ToolCallSucceeded', data: { callId: 'rename-teapot' } }] },
  runStreamStream: { summary: 'Sends the events of a run as they happen', answer: `id: 4711\nevent: RunStarted\ndata: {"position":"4711","type":"RunStarted","streamId":"run-${id('run')}"}\n\n` },
  runToolsList: { summary: 'Lists the tools that a run may use, as a model takes them' },
  runTokensIssue: { summary: 'Issues a token that opens the routes of one run', body: { ttlSeconds: 900 } },
  endRunComplete: { summary: 'Ends a run as done', body: { result: { renamed: 12 } } },
  endRunFail: { summary: 'Ends a run as failed', body: { reason: 'The catalogue could not be read' }, answer: { status: 'failed', stopReason: null } },
  endRunCancel: { summary: 'Cancels a run', body: { reason: 'Not needed any more' }, answer: { status: 'cancelled', stopReason: 'cancelled_by_user' } },
  requestToolCallPost: {
    summary: 'Asks the door for a tool call: it runs, waits, or is refused with the reason',
    body: RENAME,
    answers: {
      executed: { status: 'executed', result: { id: id('item'), version: 4 }, autonomy: 3 },
      pending_approval: { status: 'pending_approval', approvalId: id('appr'), actionDigest: DIGEST, autonomy: 2 },
      staged: { status: 'staged', approvalId: id('appr'), actionDigest: DIGEST, stagingId: id('stg'), autoCommitAt: AT, autonomy: 3 },
      deferred: { status: 'deferred', reason: 'rate_limited', rule: 'load_guard', retryAfterMs: 4_000 },
      denied: { status: 'denied', reason: 'capability_missing', rule: 'capability', facts: { tool: 'updateItem', missing: ['items:update'] } },
      indeterminate: { status: 'indeterminate', reason: 'Allowed: carry the call out yourself and report its outcome.', rule: 'client_executes', autonomy: 3 },
    },
  },
  reportOutcomePost: { summary: 'Reports what came of a call that its agent carried out', body: { status: 'executed', result: { exitCode: 0 }, runtimeMs: 120 }, answer: { status: 'executed', result: { exitCode: 0 } } },
  resolveCallPost: { summary: 'Says what became of a call whose process was lost', body: { answer: 'not_happened', reason: 'The mail server never saw it' }, answer: { status: 'failed', reason: 'The mail server never saw it' } },
  workerPoll: { summary: 'Takes the oldest call that waits for a worker', body: { tools: ['render'], waitMs: 20_000 } },
  workerHeartbeat: { summary: 'Says that the worker is still at work on a call' },
  workerComplete: { summary: 'Hands in the result of a call', body: { result: { pages: 3 } } },
  workerFail: { summary: 'Says that a call has failed, and why', body: { error: 'The template has no page' } },
};
