/**
 * Every way on which something outside gets to a tool handler, or to a write that a handler's decision stands for. `sends`: the file that
 * begins it and the command it sends; `proof`: the spec and the title of a test that goes this way and finds the door's decision in the log first.
 */
export type EntryPath = { readonly name: string; readonly sends: readonly (readonly [file: string, command: string])[]; readonly proof: readonly (readonly [spec: string, title: string])[] };

/** What ends in the door, and what ends in these. */
export const WATCHED = [
  'RequestToolCall', 'DecideApproval', 'CarryOutRun', 'RecoverCall', 'ResolveCall', 'ReportOutcome', 'CreateGoal', 'OpenGoal', 'RetryRun', 'ForkRun', 'StartFlow', 'SweepStagings', 'CommitStagingNow',
  'StagingCommitter', 'AgentDecide', 'RunCycle', 'TriggerDeployment',
];

const here = (title: string) => ['test/e2e/entry-paths.spec.ts', title] as const;
const calls = 'libs/tool-calls/src';
const goals = 'libs/goals/src';
const staging = 'libs/staging/src';

export const ENTRY_PATHS: readonly EntryPath[] = [
  { name: 'a tool call over REST', sends: [[`${calls}/request-tool-call/request-tool-call.controller.ts`, 'RequestToolCall']], proof: [here('a tool call over REST')] },
  {
    name: 'a tool call over MCP', sends: [['libs/mcp-endpoint/src/call/mcp-calls.ts', 'RequestToolCall'], ['libs/mcp-endpoint/src/own-run/own-runs.ts', 'OpenGoal']],
    proof: [['test/e2e/mcp-endpoint.spec.ts', 'property O14: decides alike over MCP and REST']],
  },
  {
    name: 'an approval decided in an MCP client', sends: [['libs/mcp-endpoint/src/approve-in-client/in-client-approvals.ts', 'DecideApproval']],
    proof: [['test/e2e/mcp-endpoint.spec.ts', 'who approves there, by the same command and with the same record as anywhere']],
  },
  { name: 'the task of a goal', sends: [[`${goals}/create-goal/goals.controller.ts`, 'CreateGoal'], [`${goals}/create-goal/create-goal.handler.ts`, 'RequestToolCall']], proof: [here('the task of a goal')] },
  { name: 'a goal that the server opens', sends: [[`${goals}/open-goal/open-goal.handler.ts`, 'CreateGoal']], proof: [here('a flow')] },
  {
    name: 'a queued run by a worker', sends: [['apps/worker/src/agent-runs.ts', 'CarryOutRun'], [`${calls}/carry-out-run/carry-out-run.handler.ts`, 'RequestToolCall']],
    proof: [here('a queued run by a worker'), ['test/e2e/async-goals.spec.ts', '[RUN-045] goes through the same door as a direct call']],
  },
  { name: 'an approval that resumes', sends: [['libs/approvals/src/decide-approval/approvals.controller.ts', 'DecideApproval']], proof: [here('an approval that resumes')] },
  { name: 'a link in a message', sends: [['libs/notifications/src/links/decide-by-link.handler.ts', 'DecideApproval']], proof: [['test/e2e/notifications.spec.ts', '[NOTIFY-021] [NOTIFY-022] carry a link that shows the request by GET and decides nothing, decides by POST, and once']] },
  { name: 'approvals decided in a batch', sends: [['libs/approvals/src/decide-approvals/decide-approvals.controller.ts', 'DecideApproval']], proof: [here('approvals decided in a batch')] },
  { name: 'the route of the classic copilot', sends: [['libs/approvals/src/legacy-approvals/legacy-approvals.controller.ts', 'DecideApproval']], proof: [here('the route of the classic copilot')] },
  {
    name: 'an agent that reviews', proof: [here('an agent that reviews')],
    sends: [['libs/agent-review/src/agent-decide/agent-decide.controller.ts', 'AgentDecide'], ['libs/agent-review/src/agent-decide/agent-decide.handler.ts', 'DecideApproval']],
  },
  { name: 'a staged change, committed by a person', sends: [[`${staging}/commit-staging/commit-staging.controller.ts`, 'CommitStagingNow'], [`${staging}/commit-staging/commit-staging.handler.ts`, 'StagingCommitter']], proof: [here('a staged change, committed by a person')] },
  { name: 'a staged change at its deadline', sends: [['apps/worker/src/veto-commits.ts', 'StagingCommitter']], proof: [['test/e2e/veto-window.spec.ts', '[VETO-006] [VETO-010] commits at the deadline what nobody vetoed']] },
  {
    name: 'the sweep of staged changes', sends: [['libs/skills/src/upkeep-skills.ts', 'SweepStagings'], [`${staging}/sweep-stagings/sweep-stagings.handler.ts`, 'StagingCommitter']],
    proof: [here('the sweep of staged changes')],
  },
  {
    name: 'a flow', proof: [here('a flow')],
    sends: [
      ['libs/flows/src/flows.controller.ts', 'StartFlow'], ['libs/skills/src/flow-skills.ts', 'StartFlow'], ['libs/flows/src/schedule/flow-schedule.ts', 'StartFlow'], ['libs/flows/src/drive-flow/flow-driver.ts', 'RequestToolCall'],
      ['libs/flows/src/drive-flow/flow-driver.ts', 'OpenGoal'],
    ],
  },
  {
    name: 'an artifact that is published or rolled back', proof: [['test/e2e/artifact-effects.spec.ts', '[ARTIFACT-021] a schema_diff changes the collections through the door']],
    sends: [
      ['libs/artifacts/src/apply-artifact/artifact-worker.ts', 'OpenGoal'], ['libs/artifacts/src/apply-artifact/artifact-worker.ts', 'RequestToolCall'],
      ['libs/artifacts/src/apply-artifact/artifact-worker.ts', 'DecideApproval'],
    ],
  },
  { name: 'a retry', sends: [[`${goals}/retry-run/retry-run.controller.ts`, 'RetryRun'], [`${goals}/retry-run/retry-run.handler.ts`, 'CreateGoal']], proof: [here('a retry')] },
  { name: 'a dead letter that is requeued', sends: [['libs/ops/src/dead-letter-desk.ts', 'RetryRun']], proof: [['test/e2e/dead-letters.spec.ts', 'which ops list, look at and requeue']] },
  { name: 'a fork', sends: [[`${goals}/fork-run/fork-run.controller.ts`, 'ForkRun'], [`${goals}/fork-run/fork-run.handler.ts`, 'CreateGoal']], proof: [here('a fork')] },
  { name: 'a cycle of an intent', sends: [['libs/intents/src/intents.controller.ts', 'RunCycle'], ['libs/skills/src/upkeep-skills.ts', 'RunCycle']], proof: [['test/e2e/intents.spec.ts', 'find drifts, and an agent repairs them on a run of its own']] },
  { name: 'the recovery of a call after a crash', sends: [['apps/worker/src/lost-workers.ts', 'RecoverCall']], proof: [['test/e2e/lost-worker.spec.ts', '[RUN-048] is made again under its own id when that does no harm'], ['test/e2e/lost-worker.spec.ts', '[RUN-044] loses its lease and is carried out by another worker']] },
  {
    name: 'a person\'s word on a call in doubt', sends: [[`${calls}/resolve-call/resolve-call.controller.ts`, 'ResolveCall']],
    proof: [['test/e2e/lost-worker.spec.ts', '[RUN-050] runs again when a person found that it did not happen']],
  },
  {
    name: 'an outcome that a client reports', sends: [[`${calls}/report-outcome/report-outcome.controller.ts`, 'ReportOutcome']],
    proof: [here('an outcome that a client reports'), ['test/e2e/client-tools.spec.ts', '[EXT-006] [RUN-060] is authorised here']],
  },
  {
    name: 'a deploy hook, which is called as a tool over HTTP is', sends: [['libs/deployments/src/deployments.controller.ts', 'TriggerDeployment'], ['libs/skills/src/delivery-skills.ts', 'TriggerDeployment']],
    proof: [['test/e2e/deployments.spec.ts', '[SKILL-012] are triggered by agents through the door, after a person has said yes']],
  },
  {
    name: 'a command over NATS', proof: [['test/e2e/nats.spec.ts', '[NATS-009] by the Nest transport, and decides, checks and records them as the routes do']],
    sends: ['CreateGoal', 'RequestToolCall', 'DecideApproval'].map((command) => ['apps/gateway/src/nats-commands.controller.ts', command] as const),
  },
  {
    name: 'a generated app, whose run makes drafts and calls no tool', sends: [['libs/generate-app/src/generate-app/generate-app.handler.ts', 'OpenGoal']],
    proof: [['test/e2e/generate-app.spec.ts', '[ARTIFACT-023] [ARTIFACT-024] [ARTIFACT-029] creates exactly four artifacts, evaluated, and changes no collection and no item']],
  },
  { name: 'a tool over HTTP', sends: [], proof: [here('a tool over HTTP')] },
  { name: 'a tool of an MCP server', sends: [], proof: [here('a tool of an MCP server')] },
  { name: 'a tool of a remote worker', sends: [], proof: [here('a tool of a remote worker')] },
  { name: 'a replay, a backtest, a dry run', sends: [], proof: [here('a replay, a backtest, a dry run')] },
];
