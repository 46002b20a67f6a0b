import { z } from 'zod';

const Id = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/, 'Letters, digits and . _ : -, at most 100');
/** Which content an evaluator looks at; without a scope it looks at all. */
const Scope = z.strictObject({ collection: z.string().min(1).max(63).optional(), artifactType: z.string().min(1).max(63).optional() });
/** The share of values (0 to 1) that must hold, or the score a judge must give. */
const Threshold = z.number().min(0).max(1);
const common = { id: Id, scope: Scope.optional(), severity: z.enum(['blocking', 'warning']).optional() };

/** Steps into the content joined by dots; a list on the way means each of its elements, a number one of them. */
const FieldPath = z.string().max(200).regex(/^[^.\s]+(\.[^.\s]+){0,9}$/, 'A path such as seo.title, at most 10 steps');
const rule = { ...common, type: z.literal('rule'), field: FieldPath, threshold: Threshold.optional() };
const Length = z.int().min(0).max(1_000_000);
const Words = z.string().min(1).max(10_000);

const RuleEvaluator = z.discriminatedUnion('rule', [
  z.strictObject({ ...rule, rule: z.literal('required') }),
  z.strictObject({ ...rule, rule: z.literal('equals'), value: z.union([z.string().max(10_000), z.number(), z.boolean(), z.null()]) }),
  z.strictObject({ ...rule, rule: z.literal('max_length'), value: Length }),
  z.strictObject({ ...rule, rule: z.literal('min_length'), value: Length }),
  /** A pattern of the linear-time engine, found anywhere in the text. */
  z.strictObject({ ...rule, rule: z.literal('regex'), value: z.string().min(1).max(200) }),
  z.strictObject({ ...rule, rule: z.literal('contains'), value: Words }),
  z.strictObject({ ...rule, rule: z.literal('not_contains'), value: Words }),
]);
export type RuleEvaluator = Readonly<z.infer<typeof RuleEvaluator>>;

const JudgeEvaluator = z.strictObject({ ...common, type: z.literal('llm_judge'), prompt: z.string().trim().min(1).max(10_000), threshold: Threshold });
export type JudgeEvaluator = Readonly<z.infer<typeof JudgeEvaluator>>;

/** What is not given is not filled in: the identity of a constitution is the hash of its evaluators as they were written. */
export const Evaluator = z.discriminatedUnion('type', [RuleEvaluator, JudgeEvaluator]).meta({ id: 'Evaluator' });
export type Evaluator = RuleEvaluator | JudgeEvaluator;

export const Evaluators = z
  .array(Evaluator)
  .min(1)
  .max(100)
  .refine((evaluators) => new Set(evaluators.map(({ id }) => id)).size === evaluators.length, 'Every evaluator needs an id of its own');

export const severityOf = ({ severity = 'blocking' }: Pick<Evaluator, 'severity'>) => severity;
