import { z } from 'zod';

export const FIELD_TYPES = ['text', 'longtext', 'integer', 'number', 'boolean', 'date', 'datetime', 'json', 'enum'] as const;

/** Names of collections and fields. 63 characters is also PostgreSQL's limit, should a name ever become a column. */
export const Name = z
  .string()
  .regex(/^[a-z][a-zA-Z0-9_]{0,62}$/, 'Must start with a lower-case letter and go on with letters, digits and _; 63 characters at most');

const Length = z.int().min(0).max(1_000_000);

/** Which of them a type knows is said in `field.policy.ts`; all bounds are inclusive, lengths count characters. */
export const Constraints = z.strictObject({
  minLength: Length.optional(),
  maxLength: Length.optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  pattern: z.string().min(1).max(200).optional(),
  options: z.array(z.string().min(1).max(200)).min(1).max(200).optional(),
});
export type Constraints = Readonly<z.infer<typeof Constraints>>;

export const Field = z
  .strictObject({
    name: Name,
    type: z.enum(FIELD_TYPES),
    required: z.boolean().optional(),
    constraints: Constraints.optional(),
  })
  .meta({ id: 'Field' });
export type Field = Readonly<z.infer<typeof Field>>;

export const MAX_FIELDS = 200;
