import { createHash } from 'node:crypto';
import { canonicalJson } from '@app/event-store';
import { isSchemaObject } from '@app/json-schema';
import { z } from 'zod';

/** What a tool's annotations claim about it. They are the server's own words and prove nothing. */
export const Annotations = z.looseObject({ readOnlyHint: z.boolean().optional(), destructiveHint: z.boolean().optional(), idempotentHint: z.boolean().optional() });
export type Annotations = z.infer<typeof Annotations>;

/** A tool as its server describes it. Schemas are the server's own text, of any size and depth. */
export type UpstreamTool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>> | undefined;
  readonly annotations: Annotations | undefined;
};

const Entry = z.object({
  name: z.string().min(1),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: z.unknown().optional(),
  outputSchema: z.unknown().optional(),
  annotations: Annotations.nullish(),
});

/** One entry of a listing, or why it is none. One that cannot be read must not hide the others. */
export const readUpstreamTool = (entry: unknown): UpstreamTool | { readonly name: string; readonly reason: string } => {
  const read = Entry.safeParse(entry);
  if (!read.success) {
    const { path, message } = read.error.issues[0]!;
    return { name: nameOf(entry), reason: `Its description is not one of a tool: ${path.join('.') || 'the entry'}: ${message}` };
  }
  const { name, title = '', description = '', inputSchema, outputSchema, annotations } = read.data;
  if (!isSchemaObject(inputSchema)) return { name, reason: 'It has no input schema' };
  if (outputSchema !== undefined && outputSchema !== null && !isSchemaObject(outputSchema)) return { name, reason: 'Its output schema is not a schema' };
  return { name, title, description, inputSchema, outputSchema: outputSchema ?? undefined, annotations: annotations ?? undefined };
};

const nameOf = (entry: unknown): string => {
  const name = isSchemaObject(entry) ? entry['name'] : undefined;
  return typeof name === 'string' && name !== '' ? name : '(unnamed)';
};

/** Binds what was reviewed: sha256 over what the server says of the tool. A server that says something else offers another tool. */
export const digestOf = ({ name, title, description, inputSchema, outputSchema, annotations }: UpstreamTool): string =>
  createHash('sha256')
    .update(canonicalJson({ name, title, description, inputSchema, outputSchema: outputSchema ?? null, annotations: annotations ?? null }))
    .digest('hex');
