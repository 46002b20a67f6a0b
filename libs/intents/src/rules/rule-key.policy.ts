import type { Rule, RuleType } from '../intent.schema';

/** Every drift has one name, the same in every scan. */
export const fingerprintOf = (intentId: string, itemId: string, ruleType: RuleType, ruleKey: string): string => [intentId, itemId, ruleType, ruleKey].join(':');

/** Who repairs what breaks a rule of this type: a role that may change items. */
export const ROLE_OF: Readonly<Record<RuleType, string>> = {
  required_fields: 'Writer', freshness: 'Writer', translations: 'Translator', link_health: 'Writer', field_constraint: 'Writer', glossary_compliance: 'Writer',
};

const LIMITS = ['minLength', 'maxLength', 'pattern'] as const;
export const FRESHNESS_KEY = 'age';
/** The key of a rule that looks at every field: which one broke it is a drift's own key. */
export const ANY_FIELD = '*';

/** What a rule can be broken at, for every item alike. Two rules of an intent must not share one: their drifts would be taken for each other. */
export const keysOf = (rule: Rule): readonly string[] => {
  switch (rule.type) {
    case 'required_fields':
      return rule.fields;
    case 'freshness':
      return [FRESHNESS_KEY];
    case 'translations':
      return rule.locales;
    case 'link_health':
    case 'glossary_compliance':
      return rule.fields ?? [ANY_FIELD];
    case 'field_constraint':
      return LIMITS.filter((limit) => rule[limit] !== undefined).map((limit) => `${rule.field}.${limit}`);
  }
};
