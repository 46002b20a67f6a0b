import {
  applyPolicies, domainOf, freezeOf, lackingCapabilities, resolveAutonomy, type EffectiveTool, type Matcher, type PolicyEffect, type PolicyVerdict, type Site,
} from '@app/governance/contract';
import type { LiveRun, Spent, StopReason } from '@app/runs/contract';

/** Facts that the shell looked up for one decision. They are recorded with it, so that a replay can hand in the same again. */
export type DoorInputs = {
  /** What the run's principal holds now. The run's own capabilities, captured when it was opened, are the upper bound. */
  readonly capabilities: readonly string[];
  /** Where the arguments break the tool's schema; empty when they satisfy it. */
  readonly argumentProblems: readonly { readonly path: string; readonly message: string }[];
  /** Why what the call is aimed at does not take it: a file that is not there, for one. Looked up when it is asked for, not again when it was approved. */
  readonly targetProblems?: DoorInputs['argumentProblems'] | undefined;
  /** Fields of the target that a human pinned and this call would write. */
  readonly pinnedFields: readonly string[];
  /** Why the call has to wait, when load, a write budget or a maintenance window say so. */
  readonly deferral: Deferral | null;
  readonly origin: string;
  /** A person approved exactly this action. The door is asked again all the same. */
  readonly approved: boolean;
  /** It was authorised before and its worker was lost, so it is counted already. */
  readonly repeated?: boolean | undefined;
  /** This server has a handler for the tool. */
  readonly handled: boolean;
};
export type Deferral = {
  readonly reason: 'outside_maintenance_window' | 'backpressure' | 'write_budget_exceeded' | 'rate_limited';
  readonly rule: 'maintenance_window' | 'load_guard';
  readonly retryAfterMs: number;
};

/** Everything an authorisation is decided on. */
export type DoorFacts = DoorInputs & {
  readonly run: LiveRun;
  readonly site: Site;
  readonly tool: EffectiveTool | undefined;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly now: Date;
  readonly matches: Matcher;
};

type Shadow = readonly { readonly rule: string; readonly then: PolicyEffect }[];
export type Denial = {
  readonly route: 'deny';
  readonly reason: string;
  readonly rule: string;
  readonly facts?: Readonly<Record<string, unknown>>;
  /** The refusal also ends the run. */
  readonly stop?: { readonly status: 'failed'; readonly stopReason: StopReason } | { readonly status: 'cancelled'; readonly stopReason: StopReason };
  readonly shadow?: Shadow;
};
export type Deferred = Deferral & { readonly route: 'defer' };
type Routed = { readonly autonomy: number; readonly capability: string; readonly budgetBefore: Spent; readonly shadow: Shadow; readonly policy: string | null };
export type Verdict =
  | Denial
  | Deferred
  | (Routed & { readonly route: 'execute'; readonly timeoutMs: number; readonly reservedCostUsd: number; readonly artifact: boolean })
  | (Routed & { readonly route: 'stage'; readonly windowMs: number })
  | (Routed & { readonly route: 'ask'; readonly domain: 'items' | 'schema' | 'tools'; readonly quorum: number; readonly humanOnly: boolean });

const deny = (reason: string, rule: string, more: Omit<Denial, 'route' | 'reason' | 'rule'> = {}): Denial => ({ route: 'deny', reason, rule, ...more });

type Known = DoorFacts & { readonly tool: EffectiveTool };
type Check = (facts: Known) => Denial | Deferred | undefined;

const input: Check = ({ argumentProblems }) =>
  argumentProblems.length > 0 ? deny('invalid_arguments', 'input', { facts: { errors: argumentProblems } }) : undefined;

/** Token ∩ role. An unknown or disabled role holds nothing; a run without a role is narrowed by nothing. */
const capability: Check = ({ tool, run, site, capabilities }) => {
  const missing = lackingCapabilities(site, run.agentRole, [capabilities, run.envelope.capabilities], tool.requiredCapabilities);
  return missing.length > 0 ? deny('capability_missing', 'capability', { facts: { missing } }) : undefined;
};

const target: Check = ({ targetProblems = [] }) =>
  targetProblems.length > 0 ? deny('invalid_arguments', 'target', { facts: { errors: targetProblems } }) : undefined;

const deferred = (rule: Deferral['rule']): Check => ({ deferral }) => (deferral?.rule === rule ? { route: 'defer', ...deferral } : undefined);

/** Law Zero: what a human pinned, no agent writes. */
const pins: Check = ({ pinnedFields }) => (pinnedFields.length > 0 ? deny('pinned_by_human', 'pins', { facts: { code: 'PINNED_BY_HUMAN', fields: pinnedFields } }) : undefined);

/** An approved call was counted when it parked, so only its cost and runtime are still to be had. */
const budget: Check = ({ run: { spent, envelope }, tool, approved, repeated = false }) => {
  const exhausted = (stopReason: StopReason, facts: Record<string, unknown>) =>
    deny(stopReason, 'budget', { facts, stop: { status: 'failed', stopReason } });
  const { maxToolCalls, timeoutMs, maxCostUsd, maxArtifactBytes } = envelope.budget;
  const costUsd = tool.costUsd ?? 0;
  if (!approved && !repeated && spent.toolCalls >= maxToolCalls) return exhausted('budget_tool_calls', { maxToolCalls, spent: spent.toolCalls });
  if (spent.runtimeMs >= timeoutMs) return exhausted('budget_timeout', { timeoutMs, spent: spent.runtimeMs });
  if (!repeated && spent.costUsd + costUsd > maxCostUsd) return exhausted('budget_cost', { maxCostUsd, spent: spent.costUsd, estimated: costUsd });
  if (tool.artifact && spent.artifactBytes >= maxArtifactBytes) return exhausted('budget_artifact_bytes', { maxArtifactBytes, spent: spent.artifactBytes });
  return undefined;
};

/** Checks 4 to 9, in the order of the specification; what the target says of itself is looked at beside its pins. */
const CHECKS: readonly Check[] = [input, capability, deferred('maintenance_window'), target, pins, deferred('load_guard'), budget];

/**
 * The one door. The ten checks run in order: run state, kill switch, registry, input, capability, maintenance window, pins, load guard,
 * budget, risk and autonomy. The first refusal wins. Pure: the same facts give the same verdict, today and in a replay.
 */
export const decideToolCall = (facts: DoorFacts): Verdict => {
  const { run, site, tool, handled } = facts;
  if (run.cancelRequested) return deny('cancelled', 'run_state');
  const freeze = freezeOf(site, run);
  if (freeze) return deny('frozen', 'kill_switch', { facts: { freezeId: freeze.freezeId, scope: freeze.scope }, stop: { status: 'cancelled', stopReason: 'frozen' } });
  if (!tool || !handled) return deny('tool_not_registered', 'registry');
  if (!tool.enabled) return deny('tool_disabled', 'registry');
  const known = { ...facts, tool };
  for (const check of CHECKS) {
    const refusal = check(known);
    if (refusal) return refusal;
  }
  return route(known);
};

/** Risk, argument policies, envelope and level choose between executing, staging and asking a person; a policy may still deny. */
const route = (facts: Known): Verdict => {
  const { run, site, tool, approved, origin, now, matches } = facts;
  const { envelope, spent } = run;
  const rules = applyPolicies(site.policies, { tool, role: run.agentRole, origin, arguments: facts.arguments, now }, matches);
  const { decided, shadow } = rules;
  if (decided?.do === 'deny') return deny('policy_denied', decided.rule, { ...(decided.reason !== null && { facts: { reason: decided.reason } }), shadow });
  const isDangerous = tool.irreversible === true || (decided?.do === 'allow' ? false : tool.isDangerous);
  const level = resolveAutonomy(site, tool, isDangerous, run.agentRole, [envelope.autonomyCap, rules.capLevel], now);
  // Levels 3 and 4 act only while there is a veto window to catch them.
  const autonomy = site.flags.vetoWindow ? level : Math.min(level, 2);
  const common = { autonomy, capability: tool.requiredCapabilities[0]!, budgetBefore: spent, shadow, policy: decided?.rule ?? null };
  const why = approved ? undefined : whyAsk(tool, isDangerous, autonomy, rules, envelope);
  if (why !== undefined && mayStage(facts, why, autonomy)) return { route: 'stage', ...common, policy: why, windowMs: site.settings.vetoWindowMs };
  const autopilot = autonomy === 4 && why !== 'before_commit' && decided?.do !== 'stage';
  if (why !== undefined && !autopilot) return { route: 'ask', ...common, policy: why, domain: domainOf(common.capability), quorum: rules.quorum, humanOnly: autonomy === 0 || tool.attended === true };
  const timeoutMs = Math.min(tool.timeoutMs, envelope.budget.timeoutMs - spent.runtimeMs);
  return { route: 'execute', ...common, timeoutMs, reservedCostUsd: tool.costUsd ?? 0, artifact: tool.artifact ?? false };
};

/** Why a call is asked as a dangerous one is; undefined when it is not. At levels 0 and 1 every call that is not a read is asked. */
const whyAsk = (tool: EffectiveTool, isDangerous: boolean, autonomy: number, { decided }: PolicyVerdict, { approvalPolicy, risk }: LiveRun['envelope']): string | undefined => {
  if (decided?.do === 'ask' || decided?.do === 'stage') return decided.rule;
  if (isDangerous) return 'dangerous_tool';
  if (tool.attended) return 'attended_tool';
  if (tool.risk === 'read') return undefined;
  if (autonomy <= 1) return 'autonomy';
  if (decided?.do === 'allow') return undefined;
  if (approvalPolicy !== 'none') return approvalPolicy;
  return risk === 'review_required' ? 'review_required' : undefined;
};

/** Only a patch of a single item can wait in a veto window, never what cannot be undone, and only from level 3 on or when staging was asked for. */
const mayStage = ({ tool, site, arguments: { data } }: Known, why: string, autonomy: number): boolean => {
  const isPatch = tool.stageable === true && typeof data === 'object' && data !== null;
  if (!isPatch || tool.irreversible || tool.attended || !site.flags.vetoWindow || autonomy < 2) return false;
  return autonomy === 3 || why === 'before_commit' || site.policies.some(({ name, then, mode }) => name === why && mode === 'enforce' && then.do === 'stage');
};
