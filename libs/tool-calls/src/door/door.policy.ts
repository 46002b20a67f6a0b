import { covers } from '@app/kernel';
import { domainOf, type EffectiveTool } from '@app/governance/contract';
import type { LiveRun, Spent, StopReason } from '@app/runs/contract';

/** Everything an authorisation is decided on. The shell gathers it, the log records it, and a replay hands in the same again. */
export type DoorFacts = {
  readonly run: LiveRun;
  readonly tool: EffectiveTool | undefined;
  /** Where the arguments break the tool's schema; empty when they satisfy it. */
  readonly argumentProblems: readonly { readonly path: string; readonly message: string }[];
  /** What the run's principal holds now. The run's own capabilities, captured when it was opened, are the upper bound. */
  readonly capabilities: readonly string[];
  /** A person approved exactly this action. The door is asked again all the same. */
  readonly approved: boolean;
};

export type Denial = {
  readonly route: 'deny';
  readonly reason: string;
  readonly rule: string;
  readonly facts?: Readonly<Record<string, unknown>>;
  /** The refusal also ends the run. */
  readonly stop?: { readonly status: 'failed'; readonly stopReason: StopReason } | { readonly status: 'cancelled'; readonly stopReason: StopReason };
};
type Routed = { readonly autonomy: number; readonly capability: string; readonly budgetBefore: Spent };
export type Verdict =
  | Denial
  | (Routed & { readonly route: 'execute'; readonly timeoutMs: number; readonly reservedCostUsd: number; readonly artifact: boolean })
  | (Routed & { readonly route: 'ask'; readonly policy: string; readonly domain: 'items' | 'schema' | 'tools' });

const deny = (reason: string, rule: string, more: Omit<Denial, 'route' | 'reason' | 'rule'> = {}): Denial => ({ route: 'deny', reason, rule, ...more });

type Check = (facts: DoorFacts & { readonly tool: EffectiveTool }) => Denial | undefined;

const capabilityHeld: Check = ({ tool, run, capabilities }) => {
  const lacking = tool.requiredCapabilities.filter((wanted) => !covers(capabilities, wanted) || !covers(run.envelope.capabilities, wanted));
  return lacking.length > 0 ? deny('capability_missing', 'capability', { facts: { missing: lacking } }) : undefined;
};

const inputValid: Check = ({ argumentProblems }) =>
  argumentProblems.length > 0 ? deny('invalid_arguments', 'input', { facts: { errors: argumentProblems } }) : undefined;

/** An approved call was counted when it parked, so only its cost and runtime are still to be had. */
const budgetLeft: Check = ({ run: { spent, envelope }, tool, approved }) => {
  const exhausted = (stopReason: StopReason, facts: Record<string, unknown>) =>
    deny(stopReason, 'budget', { facts, stop: { status: 'failed', stopReason } });
  const { maxToolCalls, timeoutMs, maxCostUsd, maxArtifactBytes } = envelope.budget;
  const costUsd = tool.costUsd ?? 0;
  if (!approved && spent.toolCalls >= maxToolCalls) return exhausted('budget_tool_calls', { maxToolCalls, spent: spent.toolCalls });
  if (spent.runtimeMs >= timeoutMs) return exhausted('budget_timeout', { timeoutMs, spent: spent.runtimeMs });
  if (spent.costUsd + costUsd > maxCostUsd) return exhausted('budget_cost', { maxCostUsd, spent: spent.costUsd, estimated: costUsd });
  if (tool.artifact && spent.artifactBytes >= maxArtifactBytes) return exhausted('budget_artifact_bytes', { maxArtifactBytes, spent: spent.artifactBytes });
  return undefined;
};

/**
 * The one door. In this order, and the first refusal wins: run state, registry, input, capability, budget; then risk and autonomy choose
 * between executing and asking a person. Pure: the same facts give the same verdict, today and in a replay.
 */
export const decideToolCall = (facts: DoorFacts): Verdict => {
  const { run, tool } = facts;
  if (run.cancelRequested) return deny('cancelled', 'run_state');
  if (!tool) return deny('tool_not_registered', 'registry');
  if (!tool.enabled) return deny('tool_disabled', 'registry');
  const known = { ...facts, tool };
  const denial = inputValid(known) ?? capabilityHeld(known) ?? budgetLeft(known);
  return denial ?? route(known);
};

const DEFAULT_LEVEL = { safe: 2, dangerous: 1 } as const;

/** Level 2 for safe tools and 1 for dangerous ones, capped by the goal; at 1 and below every call that is not a read is asked for. */
const route = ({ run, tool, approved }: DoorFacts & { readonly tool: EffectiveTool }): Verdict => {
  const { envelope, spent } = run;
  const capability = tool.requiredCapabilities[0]!;
  const autonomy = Math.min(tool.isDangerous ? DEFAULT_LEVEL.dangerous : DEFAULT_LEVEL.safe, envelope.autonomyCap ?? 4);
  const common = { autonomy, capability, budgetBefore: spent };
  const policy = approved ? undefined : whyAsk(tool, autonomy, envelope);
  if (policy !== undefined) return { route: 'ask', ...common, policy, domain: domainOf(capability) };
  const timeoutMs = Math.min(tool.timeoutMs, envelope.budget.timeoutMs - spent.runtimeMs);
  return { route: 'execute', ...common, timeoutMs, reservedCostUsd: tool.costUsd ?? 0, artifact: tool.artifact ?? false };
};

const whyAsk = (tool: EffectiveTool, autonomy: number, { approvalPolicy, risk }: LiveRun['envelope']): string | undefined => {
  if (tool.isDangerous) return 'dangerous_tool';
  if (tool.risk === 'read') return undefined;
  if (approvalPolicy !== 'none') return approvalPolicy;
  if (risk === 'review_required') return 'review_required';
  return autonomy <= 1 ? 'autonomy' : undefined;
};
