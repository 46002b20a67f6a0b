import type { EffectiveTool } from '@app/governance/contract';
import { checkArguments } from '@app/json-schema';
import type { OutboundAnswer } from '@app/outbound';
import { ToolFailure } from './tool-failure';

const EXCERPT = 300;
/** As deep as what this server takes in itself, so that a result can be passed on as arguments. */
const MAX_DEPTH = 64;

/**
 * The result in an answer: JSON as it is, text as `{text}`, nothing as null. Throws a `ToolFailure` for everything else. `clean` takes secrets
 * out of a text; it sees what a tool said before that is shortened, because half a secret is not found any more.
 */
export const toolResult = (tool: Pick<EffectiveTool, 'outputSchema'>, { status, headers, bytes, isCut, url }: OutboundAnswer, clean: (text: string) => string): unknown => {
  const { origin } = new URL(url);
  if (status < 200 || status > 299) throw new ToolFailure('UPSTREAM_STATUS', `${origin} answered ${status}${excerpt(clean(bytes.toString('utf8')))}`);
  if (isCut) throw new ToolFailure('RESPONSE_TOO_LARGE', `${origin} answered with more than ${bytes.length} bytes.`);
  const result = valueOf(headers['content-type'] ?? '', bytes, origin, clean);
  if (isTooDeep(result)) throw new ToolFailure('RESPONSE_INVALID', `${origin} answered with JSON that nests deeper than ${MAX_DEPTH} levels.`);
  if (tool.outputSchema) refuseOtherThan(tool.outputSchema, result, origin);
  return result;
};

const valueOf = (contentType: string, bytes: Buffer, origin: string, clean: (text: string) => string): unknown => {
  if (bytes.length === 0) return null;
  const type = contentType.split(';')[0]!.trim().toLowerCase();
  const text = bytes.toString('utf8');
  if (/^application\/(?:[a-z0-9.+-]+\+)?json$/.test(type)) {
    const parsed = jsonIn(text);
    if (parsed === undefined) throw new ToolFailure('RESPONSE_INVALID', `${origin} answered with what is not JSON, although it says so.`);
    return parsed.value;
  }
  if (type === '') return jsonIn(text)?.value ?? { text };
  if (type.startsWith('text/')) return { text };
  throw new ToolFailure('RESPONSE_INVALID', `${origin} answered with ${clean(type).slice(0, 100)}; a tool answers with JSON or text.`);
};

type SourceReviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** An integer that this program would round comes as the text of its digits. */
const exact: SourceReviver = (_key, value, { source = '' }) => (typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value);

const jsonIn = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: /\d{16}/.test(text) ? (JSON.parse(text, exact as (key: string, value: unknown) => unknown) as unknown) : (JSON.parse(text) as unknown) };
  } catch {
    return undefined;
  }
};

/** Level by level: what came from outside may be deeper than the stack. */
const isTooDeep = (value: unknown): boolean => {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
};

const refuseOtherThan = (schema: NonNullable<EffectiveTool['outputSchema']>, result: unknown, origin: string) => {
  const isObject = typeof result === 'object' && result !== null && !Array.isArray(result);
  const [problem] = isObject ? checkArguments(schema, result as Readonly<Record<string, unknown>>).problems : [{ path: '', message: 'must be object' }];
  if (problem) throw new ToolFailure('RESPONSE_INVALID', `${origin} answered with what breaks the output schema of the tool: ${problem.path} ${problem.message}`.trim());
};

/** The beginning of what a failing tool said, on one line. */
const excerpt = (said: string): string => {
  const text = said.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  return text === '' ? '.' : `: ${text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text}`;
};
