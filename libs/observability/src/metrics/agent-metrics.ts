import type { Family } from './family';

/** Tools answer in milliseconds, people in minutes to days. */
const TOOL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const PERSON_SECONDS = [1, 10, 60, 300, 900, 3_600, 14_400, 43_200, 86_400, 259_200, 604_800];

const counter = (name: string, help: string, ...labels: readonly string[]): Family => ({ name, type: 'counter', help, labels });

/** What is counted from the events of the log, for the whole installation. */
export const AGENT_METRICS = {
  runs: counter('lumibase_agent_runs_total', 'Runs that ended.', 'agent', 'status', 'stop_reason'),
  toolLatency: {
    name: 'lumibase_agent_tool_latency_seconds', type: 'histogram', help: 'Time that tool handlers took.', labels: ['tool', 'status'], buckets: TOOL_SECONDS,
  },
  approvals: counter('lumibase_agent_approvals_total', 'Approvals by their outcome.', 'subject_type', 'status'),
  approvalLatency: {
    name: 'lumibase_agent_approval_latency_seconds', type: 'histogram', help: 'Time from a request for approval to its decision.', labels: ['subject_type'],
    buckets: PERSON_SECONDS,
  },
  evaluations: counter('lumibase_agent_evaluations_total', 'Evaluations of artifacts.', 'type', 'status'),
  tokens: counter('lumibase_agent_tokens_total', 'Estimated tokens, in and out.', 'provider', 'model'),
  cost: counter('lumibase_agent_cost_usd_total', 'Estimated cost in US dollars.', 'provider', 'model'),
  deadLetters: counter('lumibase_agent_dead_letters_total', 'Jobs given up after their last attempt.', 'queue'),
  autonomous: counter('lumibase_agent_autonomous_operations_total', 'Changes staged at level 3 and calls executed at level 4, without a person.', 'level'),
  vetoStagings: counter('lumibase_agent_veto_stagings_total', 'Changes that were staged for a veto.'),
  vetoes: counter('lumibase_agent_vetoes_total', 'Staged changes that a person vetoed.'),
  coalescedWrites: counter('lumibase_agent_coalesced_writes_total', 'Item writes that were told together.'),
  writeFlushes: counter('lumibase_agent_write_flushes_total', 'Refreshes that told of coalesced item writes, one per collection.'),
  backpressure: counter('lumibase_agent_backpressure_activations_total', 'Times that backpressure began.'),
  budgetDenials: counter('lumibase_agent_write_budget_denials_total', 'Tool calls deferred by the write budget.'),
  breakerTrips: counter('lumibase_intent_breaker_trips_total', 'Intents that their circuit breaker stopped.'),
  doorDecisions: counter('harness_door_decisions_total', 'Decisions on tool calls.', 'route', 'reason'),
} as const satisfies Record<string, Family>;

export type AgentMetric = keyof typeof AGENT_METRICS;
