import { z } from 'zod';
import { Capability, TOOL_RISKS, ToolName } from './tool.schema';

const oneOrMore = <S extends z.ZodType>(schema: S) => z.union([schema, z.array(schema).min(1).max(50)]);
const Scalar = z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()]);
const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'HH:MM');

/** A condition on one argument; `path` is a JSON pointer into the arguments. Every given test must hold. */
export const ArgumentCondition = z.strictObject({
  path: z.string().max(1_010).regex(/^(\/[^/]+){1,10}$/, 'A JSON pointer such as /data/price'),
  eq: Scalar.optional(),
  in: z.array(Scalar).min(1).max(200).optional(),
  gt: z.number().optional(),
  lt: z.number().optional(),
  /** A pattern of the linear-time engine, found anywhere in the text. */
  matches: z.string().min(1).max(200).optional(),
  exists: z.boolean().optional(),
});
export type ArgumentCondition = z.infer<typeof ArgumentCondition>;

/** When a rule speaks; what is not named does not matter. `time` is UTC and may span midnight. */
export const PolicyCondition = z.strictObject({
  tool: oneOrMore(ToolName).optional(),
  role: oneOrMore(z.string().min(1).max(64)).optional(),
  capability: oneOrMore(Capability).optional(),
  risk: oneOrMore(z.enum(TOOL_RISKS)).optional(),
  origin: oneOrMore(z.enum(['user', 'planner', 'reconciler', 'flow'])).optional(),
  arguments: z.array(ArgumentCondition).min(1).max(20).optional(),
  time: z.strictObject({ from: Clock, to: Clock, days: z.array(z.int().min(0).max(6)).min(1).max(7).optional() }).optional(),
});

/** What a rule does: one of these. `capLevel` and `requireQuorum` add to what later rules decide. */
export const PolicyEffect = z.union([
  z.strictObject({ do: z.enum(['allow', 'ask', 'deny', 'stage']) }),
  z.strictObject({ do: z.literal('capLevel'), level: z.int().min(0).max(4) }),
  z.strictObject({ do: z.literal('requireQuorum'), quorum: z.int().min(1).max(20) }),
]);
export type PolicyEffect = z.infer<typeof PolicyEffect>;

export const PolicyRule = z.strictObject({
  name: z.string().min(1).max(100),
  reason: z.string().min(1).max(500).optional(),
  when: PolicyCondition,
  then: PolicyEffect,
  mode: z.enum(['enforce', 'shadow']).default('enforce'),
}).meta({ id: 'PolicyRule' });
export type PolicyRule = Readonly<z.infer<typeof PolicyRule>>;

export const PolicyRules = z.array(PolicyRule).max(200);
