import type { Rule } from '../intent.schema';
import { ANY_FIELD, keysOf } from './rule-key.policy';
import { sisterOf, TRANSLATIONS_FIELD } from './violations.policy';

/** Where in the definition something is wrong, as a JSON pointer, and what. */
export type Problem = { readonly pointer: string; readonly detail: string };

/** What a rule may name. Null for a collection that is not there. */
export type Known = { readonly fields: readonly string[] | null; readonly patternProblem: (pattern: string) => string | null };

/** A rule that could never be kept is refused: one that names a field which the collection does not have, or asks for nothing. */
export const ruleProblems = (rules: readonly Rule[], { fields, patternProblem }: Known): readonly Problem[] => {
  const seen = new Set<string>();
  return rules.flatMap((rule, index) => {
    const at = (path: string, detail: string): Problem => ({ pointer: `/rules/${index}${path}`, detail });
    const problems = namedFields(rule).flatMap(({ path, name }) => (fields === null || fields.includes(name) ? [] : [at(path, `The collection has no field ${name}`)]));
    if (rule.type === 'field_constraint') problems.push(...constraintProblems(rule, patternProblem).map(([path, detail]) => at(path, detail)));
    for (const key of keysOf(rule)) {
      const [one, all] = [`${rule.type}:${key}`, `${rule.type}:${ANY_FIELD}`];
      if (seen.has(one) || seen.has(all)) problems.push(at('', `Another rule of this type looks at ${key === ANY_FIELD ? 'every field' : key} already`));
      seen.add(one);
    }
    return problems;
  });
};

const constraintProblems = (
  { minLength, maxLength, pattern }: Extract<Rule, { type: 'field_constraint' }>,
  patternProblem: Known['patternProblem'],
): readonly (readonly [string, string])[] => {
  if (minLength === undefined && maxLength === undefined && pattern === undefined) return [['', 'Needs minLength, maxLength or pattern']];
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength) return [['/minLength', 'Must not be greater than maxLength']];
  const detail = pattern === undefined ? null : patternProblem(pattern);
  return detail === null ? [] : [['/pattern', detail]];
};

const namedFields = (rule: Rule): readonly { readonly path: string; readonly name: string }[] => {
  const listed = (names: readonly string[] = []) => names.map((name, index) => ({ path: `/fields/${index}`, name }));
  switch (rule.type) {
    case 'required_fields':
    case 'link_health':
    case 'glossary_compliance':
      return listed(rule.fields);
    case 'field_constraint':
      return [{ path: '/field', name: rule.field }];
    case 'translations':
      return rule.field === undefined && rule.fields !== undefined
        ? rule.fields.flatMap((name, index) => rule.locales.map((locale) => ({ path: `/fields/${index}`, name: sisterOf(name, locale) })))
        : [{ path: rule.field === undefined ? '' : '/field', name: rule.field ?? TRANSLATIONS_FIELD }];
    case 'freshness':
      return [];
  }
};
