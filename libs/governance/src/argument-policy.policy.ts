import type { ArgumentCondition, PolicyEffect, PolicyRule } from './policy.schema';
import type { EffectiveTool } from './risk.policy';

/** Finds a pattern in a text in linear time; handed in, because patterns are compiled outside. */
export type Matcher = (pattern: string, text: string) => boolean;

/** What rules may look at. */
export type PolicySubject = {
  readonly tool: Pick<EffectiveTool, 'name' | 'risk' | 'requiredCapabilities'>;
  readonly role: string | undefined;
  readonly origin: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly now: Date;
};

export type PolicyVerdict = {
  /** The rule that decided, with what it decided; undefined when no rule did. */
  readonly decided: { readonly rule: string; readonly do: 'allow' | 'ask' | 'deny' | 'stage'; readonly reason: string | null } | undefined;
  readonly capLevel: number | undefined;
  readonly quorum: number;
  /** Rules in shadow mode that would have spoken. */
  readonly shadow: readonly { readonly rule: string; readonly then: PolicyEffect }[];
};

/** In order: the first enforced rule that allows, asks, denies or stages decides; caps and quorums before it add up. */
export const applyPolicies = (rules: readonly PolicyRule[], subject: PolicySubject, matches: Matcher): PolicyVerdict => {
  let capLevel: number | undefined;
  let quorum = 1;
  const shadow: { rule: string; then: PolicyEffect }[] = [];
  for (const rule of rules) {
    if (!speaks(rule, subject, matches)) continue;
    const { name, then, mode, reason = null } = rule;
    if (mode === 'shadow') shadow.push({ rule: name, then });
    else if (then.do === 'capLevel') capLevel = Math.min(capLevel ?? then.level, then.level);
    else if (then.do === 'requireQuorum') quorum = Math.max(quorum, then.quorum);
    else return { decided: { rule: name, do: then.do, reason }, capLevel, quorum, shadow };
  }
  return { decided: undefined, capLevel, quorum, shadow };
};

const speaks = ({ when }: PolicyRule, { tool, role, origin, arguments: input, now }: PolicySubject, matches: Matcher): boolean =>
  oneOf(when.tool, tool.name) &&
  oneOf(when.role, role) &&
  (when.capability === undefined || tool.requiredCapabilities.some((capability) => oneOf(when.capability, capability))) &&
  oneOf(when.risk, tool.risk) &&
  oneOf(when.origin, origin) &&
  (when.arguments ?? []).every((condition) => holds(condition, input, matches)) &&
  (when.time === undefined || within(when.time, now));

const oneOf = (wanted: string | readonly string[] | undefined, found: string | undefined): boolean =>
  wanted === undefined || (found !== undefined && (typeof wanted === 'string' ? wanted === found : wanted.includes(found)));

const holds = (condition: ArgumentCondition, input: unknown, matches: Matcher): boolean => {
  const value = at(input, condition.path);
  const scalar = value as string | number | boolean | null;
  return (
    (condition.exists === undefined || condition.exists === (value !== undefined)) &&
    (condition.eq === undefined || scalar === condition.eq) &&
    (condition.in === undefined || condition.in.includes(scalar)) &&
    (condition.gt === undefined || (typeof value === 'number' && value > condition.gt)) &&
    (condition.lt === undefined || (typeof value === 'number' && value < condition.lt)) &&
    (condition.matches === undefined || (typeof value === 'string' && matches(condition.matches, value)))
  );
};

/** Own members only: a pointer never reaches a prototype. */
const at = (value: unknown, pointer: string): unknown =>
  pointer.split('/').slice(1).reduce<unknown>((inner, step) => {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key) ? (inner as Record<string, unknown>)[key] : undefined;
  }, value);

const within = ({ from, to, days }: { from: string; to: string; days?: readonly number[] | undefined }, now: Date): boolean => {
  const clock = now.toISOString().slice(11, 16);
  const overnight = from > to;
  const inside = overnight ? clock >= from || clock < to : clock >= from && clock < to;
  // The part after midnight belongs to the day the window began on.
  const day = overnight && clock < to ? (now.getUTCDay() + 6) % 7 : now.getUTCDay();
  return inside && (days === undefined || days.includes(day));
};
