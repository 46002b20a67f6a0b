import { Name } from '@app/content/contract';
import { z } from 'zod';

const Text = z.string().trim().min(1).max(200);
/** A language tag: `de`, `pt-BR`. */
const Locale = z.string().regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'Must be a language tag, e.g. de or pt-BR').max(35);
const Length = z.int().min(0).max(1_000_000);
const Fields = z.array(Name).min(1).max(50);

export const RULE_TYPES = ['required_fields', 'freshness', 'translations', 'link_health', 'field_constraint', 'glossary_compliance'] as const;
export type RuleType = (typeof RULE_TYPES)[number];

/** What an intent asks of every item of its collection. Without `fields` a rule about texts looks at every field. */
export const Rule = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('required_fields'), fields: Fields }),
  /** Days since the item was changed last. */
  z.strictObject({ type: z.literal('freshness'), maxAgeDays: z.number().positive().max(36_500) }),
  /** `field` holds an object with one entry per locale, or every one of `fields` has a sister field such as `title_de`. */
  z.strictObject({ type: z.literal('translations'), locales: z.array(Locale).min(1).max(50), field: Name.optional(), fields: Fields.optional() }),
  z.strictObject({ type: z.literal('link_health'), fields: Fields.optional() }),
  /** Lengths count characters; the pattern is RE2 and may be found anywhere in the text. */
  z.strictObject({
    type: z.literal('field_constraint'), field: Name, minLength: Length.optional(), maxLength: Length.optional(), pattern: z.string().min(1).max(200).optional(),
  }),
  /** `term` is the word to use, `avoid` those it stands for. */
  z.strictObject({
    type: z.literal('glossary_compliance'), fields: Fields.optional(),
    terms: z.array(z.strictObject({ term: Text, avoid: z.array(Text).min(1).max(50), caseSensitive: z.boolean().optional() })).min(1).max(500),
  }),
]).meta({ id: 'IntentRule' });
export type Rule = Readonly<z.infer<typeof Rule>>;

export const Rules = z.array(Rule).min(1).max(50);

const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time of day, e.g. 22:00');
/** Times of the zone's wall clock. A window belongs to the day it starts on; one that ends before it starts ends on the next day. */
export const MaintenanceWindow = z.strictObject({
  tz: z.string().min(1).max(64),
  windows: z.array(
    z.strictObject({ dow: z.int().min(0).max(7).describe('0 is Sunday, and so is 7'), start: Clock, end: z.union([Clock, z.literal('24:00')]) })
      .refine(({ start, end }) => start !== end, { message: 'A window that ends when it starts has no length', path: ['end'] }),
  ).min(1).max(100),
}).meta({ id: 'MaintenanceWindow' });
export type MaintenanceWindow = Readonly<z.infer<typeof MaintenanceWindow>>;

/** `maxCostUsd` and `maxWritesPerMinute` bound each goal that the intent brings forth. */
export const IntentBudget = z.strictObject({
  maxGoalsPerCycle: z.int().min(0).max(1_000).default(5),
  maxWritesPerMinute: z.int().min(1).max(1_000_000).optional(),
  maxCostUsd: z.number().min(0).max(1_000_000).optional(),
});
export type IntentBudget = Readonly<z.infer<typeof IntentBudget>>;

const Schedule = z.string().trim().min(1).max(200).describe('Cron with five fields: minute, hour, day of month, month, day of week');
const Zone = z.string().min(1).max(64).describe('A time zone such as Europe/Berlin');

/** A wish about a collection that is kept up by itself. */
export const IntentDefinition = z.strictObject({
  name: Text,
  collection: Name,
  rules: Rules,
  schedule: Schedule,
  tz: Zone.optional(),
  budget: IntentBudget,
  autonomyCap: z.int().min(0).max(4).optional(),
  maintenanceWindow: MaintenanceWindow.optional(),
});
export type IntentDefinition = Readonly<z.infer<typeof IntentDefinition>>;

export const DeclareIntentBody = IntentDefinition.extend({ schedule: Schedule.default('0 * * * *'), budget: IntentBudget.prefault({}) }).meta({ id: 'DeclareIntent' });
export type DeclareIntentBody = z.infer<typeof DeclareIntentBody>;

/** Null takes an optional part away. The collection stays what it is. */
export const ChangeIntentBody = z.strictObject({
  name: Text.optional(),
  rules: Rules.optional(),
  schedule: Schedule.optional(),
  tz: Zone.nullable().optional(),
  budget: IntentBudget.extend({ maxGoalsPerCycle: z.int().min(0).max(1_000).optional() }).optional(),
  autonomyCap: z.int().min(0).max(4).nullable().optional(),
  maintenanceWindow: MaintenanceWindow.nullable().optional(),
}).meta({ id: 'ChangeIntent' });
export type ChangeIntentBody = z.infer<typeof ChangeIntentBody>;
