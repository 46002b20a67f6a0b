import { checkArguments } from '@app/json-schema';
import { z } from 'zod';
import { UpstreamError } from './connection/upstream-error';

/** Binary content up to this size is kept inside of the result, as text in base64. */
const MAX_INLINE = 64 * 1024;
const MAX_TEXT = 2_000;
const MAX_PARTS = 1_000;
/** What the record of a call holds. */
const MAX_RESULT_BYTES = 512 * 1024;

const Part = z.object({ type: z.string() }).catchall(z.json());
const Answer = z.object({ content: z.array(Part).max(MAX_PARTS).default([]), structuredContent: z.json().optional(), isError: z.boolean().optional() });
type Part = z.infer<typeof Part>;

/** What the agent gets of a call: the parts of the answer and its structured content, nothing that is meant for a client's machinery. */
export type ToolResult = { readonly content: readonly Part[]; readonly structuredContent?: unknown };

/** Rejects, by throwing, what is no result, what says that it failed, and what breaks the output schema that was reviewed. */
export const toolResult = (answer: unknown, server: string, outputSchema: Readonly<Record<string, unknown>> | undefined): ToolResult => {
  const read = Answer.safeParse(answer);
  if (!read.success) throw new UpstreamError('RESPONSE_INVALID', `${server} answered with what is no result of a tool.`);
  const { content, structuredContent, isError } = read.data;
  if (isError) throw new UpstreamError('TOOL_FAILED', textOf(content) || 'The tool says that it failed, and not why.');
  if (outputSchema !== undefined) checkOutput(structuredContent, server, outputSchema);
  const result = { content: content.map(bounded), ...(structuredContent !== undefined && { structuredContent }) };
  const bytes = Buffer.byteLength(JSON.stringify(result));
  if (bytes > MAX_RESULT_BYTES) throw new UpstreamError('RESPONSE_TOO_LARGE', `The result has ${bytes} bytes; at most ${MAX_RESULT_BYTES} can be recorded.`);
  return result;
};

const checkOutput = (output: unknown, server: string, outputSchema: Readonly<Record<string, unknown>>) => {
  if (typeof output !== 'object' || output === null || Array.isArray(output)) throw new UpstreamError('RESPONSE_INVALID', `${server} answered without the structured content that the tool promises.`);
  const { problems } = checkArguments(outputSchema, output as Readonly<Record<string, unknown>>);
  const [first] = problems;
  if (first) throw new UpstreamError('RESPONSE_INVALID', `${server} answered with structured content that breaks the tool's output schema at ${first.path || '/'}: ${first.message}.`);
};

const textOf = (content: readonly Part[]): string =>
  content.map(({ text }) => (typeof text === 'string' ? text : '')).filter(Boolean).join('\n').slice(0, MAX_TEXT);

/** A large picture, sound or file is told about instead of given; `_meta` is the protocol's own and left out. */
const bounded = ({ _meta, ...part }: Part): Part => {
  const data = part['data'];
  if (typeof data === 'string' && data.length > MAX_INLINE) return { ...part, data: '', omitted: `${data.length} characters of base64` };
  const resource = part['resource'];
  if (typeof resource !== 'object' || resource === null || Array.isArray(resource)) return part;
  const { blob, _meta: _own, ...rest } = resource;
  if (typeof blob !== 'string') return { ...part, resource: rest };
  return { ...part, resource: blob.length > MAX_INLINE ? { ...rest, blob: '', omitted: `${blob.length} characters of base64` } : { ...rest, blob } };
};
