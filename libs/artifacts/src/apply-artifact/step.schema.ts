import { z } from 'zod';

/** A tool call by which something described takes effect, or is taken back. */
const Call = z.strictObject({ tool: z.string(), arguments: z.record(z.string(), z.json()) });

/** `undo` is the call that takes the step back, with what was there before; an item's id is added once it is known. Null: nothing of its own to take back. */
export const Step = z.strictObject({ ...Call.shape, undo: Call.nullable() });
export type Step = Readonly<z.infer<typeof Step>>;
export type StepCall = Readonly<z.infer<typeof Call>>;

/** Arguments are JSON by where they come from: content that was parsed, or a collection as it is. */
export const call = (tool: string, given: Readonly<Record<string, unknown>>): StepCall => ({ tool, arguments: given as StepCall['arguments'] });

/** What a rollback leaves, and why. */
export const Kept = z.strictObject({ what: z.string(), reason: z.string() });
export type Kept = Readonly<z.infer<typeof Kept>>;

export const callIdOf = (nr: number): string => `step-${nr + 1}`;
