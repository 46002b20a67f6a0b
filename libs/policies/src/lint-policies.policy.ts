import type { ArgumentCondition, PolicyRule } from '@app/governance/contract';

export type Finding = { readonly pointer: string; readonly detail: string };
/** What the rules are judged against. `patternProblem` says why a pattern cannot be used, or null; it is handed in, because patterns are compiled outside. */
export type LintFacts = { readonly tools: readonly string[]; readonly roles: readonly string[]; readonly patternProblem: (pattern: string) => string | null };
export type Lint = { readonly faults: readonly Finding[]; readonly warnings: readonly Finding[] };

/** Faults keep rules from taking effect; warnings are shown beside them. Pointers are JSON pointers into `{rules}`. */
export const lintPolicies = (rules: readonly PolicyRule[], facts: LintFacts): Lint => ({
  faults: [...rules.flatMap((rule, index) => [...sameName(rules, rule, index), ...neverReached(rules, rule, index), ...neverHolds(rule, index, facts)])],
  warnings: rules.flatMap((rule, index) => unknownNames(rule, index, facts)),
});

const sameName = (rules: readonly PolicyRule[], { name }: PolicyRule, index: number): Finding[] => {
  const first = rules.findIndex((other) => other.name === name);
  return first < index ? [{ pointer: `/rules/${index}/name`, detail: `Rule ${first} has this name already; decisions name their rule` }] : [];
};

const DECIDING = ['allow', 'ask', 'deny', 'stage'];

const neverReached = (rules: readonly PolicyRule[], rule: PolicyRule, index: number): Finding[] => {
  const before = rules.slice(0, index).find(({ mode, then, when }) => mode === 'enforce' && DECIDING.includes(then.do) && includes(when, rule.when));
  return before ? [{ pointer: `/rules/${index}`, detail: `Never reached: rule ${before.name} decides every call that this one speaks about` }] : [];
};

type When = PolicyRule['when'];
const LISTS = ['tool', 'role', 'capability', 'risk', 'origin'] as const;

/** Whether everything that satisfies the inner condition satisfies the outer one too. Never says yes wrongly; it may miss a clever case. */
const includes = (outer: When, inner: When): boolean =>
  LISTS.every((key) => outer[key] === undefined || (inner[key] !== undefined && [inner[key]].flat().every((value) => [outer[key]].flat().includes(value)))) &&
  (outer.arguments ?? []).every((wanted) => (inner.arguments ?? []).some((given) => sameText(wanted, given))) &&
  (outer.time === undefined || (inner.time !== undefined && sameText(outer.time, inner.time)));

const sameText = (a: object, b: object) => JSON.stringify(Object.entries(a).toSorted()) === JSON.stringify(Object.entries(b).toSorted());

const neverHolds = ({ when }: PolicyRule, index: number, { patternProblem }: LintFacts): Finding[] => {
  const at = `/rules/${index}/when`;
  const { time, arguments: conditions = [] } = when;
  const empty = time && time.from === time.to ? [{ pointer: `${at}/time`, detail: 'An empty window: it ends when it begins; leave time out for the whole day' }] : [];
  return [
    ...empty,
    ...conditions.flatMap((condition, nr) => {
      const pointer = `${at}/arguments/${nr}`;
      const problem = condition.matches === undefined ? null : patternProblem(condition.matches);
      if (problem !== null) return [{ pointer: `${pointer}/matches`, detail: problem }];
      return testsNothing(condition) ? [{ pointer, detail: 'Tests nothing: say eq, in, gt, lt, matches or exists' }] : contradicts(condition) ? [{ pointer, detail: 'Can never hold: its tests contradict each other' }] : [];
    }),
  ];
};

const testsNothing = ({ path: _path, ...tests }: ArgumentCondition) => Object.values(tests).every((test) => test === undefined);

const contradicts = ({ eq, in: list, gt, lt, matches, exists }: ArgumentCondition): boolean => {
  const value = eq !== undefined || list !== undefined || gt !== undefined || lt !== undefined || matches !== undefined;
  if (exists === false && value) return true;
  if (gt !== undefined && lt !== undefined && gt >= lt) return true;
  if ((gt !== undefined || lt !== undefined) && matches !== undefined) return true;
  const possible = list ?? (eq === undefined ? undefined : [eq]);
  return possible !== undefined && !possible.some((one) =>
    (eq === undefined || one === eq) && (gt === undefined || (typeof one === 'number' && one > gt)) && (lt === undefined || (typeof one === 'number' && one < lt)) &&
    (matches === undefined || typeof one === 'string'));
};

const unknownNames = ({ when }: PolicyRule, index: number, { tools, roles }: LintFacts): Finding[] => [
  ...unknown(when.tool, tools, `/rules/${index}/when/tool`, 'tool'),
  ...unknown(when.role, roles, `/rules/${index}/when/role`, 'role'),
];

const unknown = (wanted: string | readonly string[] | undefined, known: readonly string[], pointer: string, kind: string): Finding[] =>
  (wanted === undefined ? [] : [wanted].flat()).filter((name) => !known.includes(name)).map((name) => ({ pointer, detail: `No ${kind} of the name ${name} is on this site` }));
