import type { Rule, RuleType } from '../intent.schema';
import { linksIn } from './links.policy';
import { FRESHNESS_KEY } from './rule-key.policy';
import { isEmpty, textsOf } from './texts.policy';

const DAY = 86_400_000;
/** Longer texts are not matched with a pattern: 10 000 characters against 1 000 instructions take 100 ms. */
const MOST_MATCHED = 10_000;

/** An item as a rule sees it. `pinned` are the fields that a person keeps from agents. */
export type Subject = { readonly data: Readonly<Record<string, unknown>>; readonly updatedAt: string; readonly pinned: readonly string[] };

/** What the shell knows and a rule may ask. `broken` are links that were looked at and lead nowhere; what was not looked at counts as sound. */
export type Facts = {
  readonly now: Date;
  /** Names of the collection's fields. */
  readonly fields: readonly string[];
  readonly broken: ReadonlySet<string>;
  readonly matches: (pattern: string, text: string) => boolean;
};

/** `fields` are those of which every one has to be written to repair it. */
export type Violation = { readonly ruleType: RuleType; readonly ruleKey: string; readonly fields: readonly string[]; readonly detail: string };

/** What an item breaks and an agent could repair: nothing that needs a field which a person has pinned. */
export const violations = (rules: readonly Rule[], { pinned, ...item }: Subject, facts: Facts): readonly Violation[] => {
  const isPinned = (field: string) => pinned.includes(field);
  const open = facts.fields.filter((field) => !isPinned(field));
  return rules.flatMap((rule) => broken(rule, item, { ...facts, fields: open })).filter(({ fields }) => fields.length > 0 && !fields.some(isPinned));
};

type Item = Omit<Subject, 'pinned'>;

const broken = (rule: Rule, { data, updatedAt }: Item, facts: Facts): readonly Violation[] => {
  const at = (ruleKey: string, fields: readonly string[], detail: string): Violation => ({ ruleType: rule.type, ruleKey, fields, detail });
  switch (rule.type) {
    case 'required_fields':
      return rule.fields.filter((field) => isEmpty(data[field])).map((field) => at(field, [field], `${field} has no value`));
    case 'freshness': {
      const days = (facts.now.getTime() - Date.parse(updatedAt)) / DAY;
      return days > rule.maxAgeDays ? [at(FRESHNESS_KEY, facts.fields, `Not changed for ${Math.floor(days)} days, at most ${rule.maxAgeDays}`)] : [];
    }
    case 'translations':
      return rule.locales.flatMap((locale) => {
        const lacking = untranslated(rule, locale, data);
        return lacking.length > 0 ? [at(locale, lacking, `No ${locale} in ${lacking.join(', ')}`)] : [];
      });
    case 'link_health':
      return (rule.fields ?? facts.fields).flatMap((field) => {
        const dead = linksIn(data[field]).filter((link) => facts.broken.has(link));
        return dead.length > 0 ? [at(field, [field], `${field} points at ${dead.slice(0, 3).join(', ')}, which cannot be reached`)] : [];
      });
    case 'field_constraint':
      return outOfBounds(rule, data[rule.field], facts).map(([limit, detail]) => at(`${rule.field}.${limit}`, [rule.field], detail));
    case 'glossary_compliance':
      return (rule.fields ?? facts.fields).flatMap((field) => {
        const wrong = against(rule.terms, textsOf(data[field]));
        return wrong.length > 0 ? [at(field, [field], `${field} says ${wrong.slice(0, 3).map(({ said, term }) => `"${said}" instead of "${term}"`).join(', ')}`)] : [];
      });
  }
};

export const TRANSLATIONS_FIELD = 'translations';
/** `title` in `pt-BR` is `title_pt_BR`: names of fields have no dashes. */
export const sisterOf = (field: string, locale: string) => `${field}_${locale.replaceAll('-', '_')}`;

/** The fields that have to be written so that the item is there in a locale. */
const untranslated = ({ field, fields }: Extract<Rule, { type: 'translations' }>, locale: string, data: Item['data']): readonly string[] => {
  if (field === undefined && fields !== undefined) return fields.map((name) => sisterOf(name, locale)).filter((name) => isEmpty(data[name]));
  const name = field ?? TRANSLATIONS_FIELD;
  const all = data[name];
  const one: unknown = typeof all === 'object' && all !== null && Object.hasOwn(all, locale) ? (all as Record<string, unknown>)[locale] : undefined;
  const parts = fields === undefined ? [one] : fields.map((part) => (typeof one === 'object' && one !== null ? (one as Record<string, unknown>)[part] : undefined));
  return parts.some(isEmpty) ? [name] : [];
};

/** A field without a value is no matter of this rule: `required_fields` asks for values. */
const outOfBounds = (
  { field, minLength, maxLength, pattern }: Extract<Rule, { type: 'field_constraint' }>,
  value: unknown,
  { matches }: Facts,
): readonly (readonly [string, string])[] => {
  if (typeof value !== 'string') return [];
  const length = [...value].length;
  const found: (readonly [string, string])[] = [];
  if (minLength !== undefined && length < minLength) found.push(['minLength', `${field} has ${length} characters, at least ${minLength}`]);
  if (maxLength !== undefined && length > maxLength) found.push(['maxLength', `${field} has ${length} characters, at most ${maxLength}`]);
  if (pattern !== undefined && (value.length > MOST_MATCHED || !matches(pattern, value))) found.push(['pattern', `${field} does not match ${pattern}`]);
  return found;
};

type Term = Extract<Rule, { type: 'glossary_compliance' }>['terms'][number];

/** Words are found whole: "lead" is not in "leader". */
const against = (terms: readonly Term[], texts: readonly string[]): readonly { readonly said: string; readonly term: string }[] =>
  terms.flatMap(({ term, avoid, caseSensitive = false }) => {
    const fold = (text: string) => (caseSensitive ? text : text.toLocaleLowerCase('en'));
    return avoid.filter((said) => texts.some((text) => saysWord(fold(text), fold(said)))).map((said) => ({ said, term }));
  });

const isLetter = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_]/u.test(character);

const saysWord = (text: string, word: string): boolean => {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = [...text.slice(Math.max(0, at - 2), at)].at(-1);
    const after = [...text.slice(at + word.length, at + word.length + 2)][0];
    if (!(isLetter(before) && isLetter([...word][0])) && !(isLetter(after) && isLetter([...word].at(-1)))) return true;
  }
  return false;
};
