import { DEFAULT_TIMEOUT_MS, targetProblems, ToolName, type ToolDefinition } from '@app/governance/contract';
import type { PutToolBody } from './put-tool.command';

export type FieldProblem = { readonly pointer: string; readonly detail: string };

const NEEDED = ['description', 'inputSchema', 'requiredCapabilities', 'risk'] as const;
/** The block that tells where tools of a kind run. */
const BLOCKS = ['http', 'worker', 'mcp'] as const;

/** Why a body is no whole registration of a tool of its kind. */
export const registrationProblems = (name: string, body: PutToolBody): readonly FieldProblem[] => {
  const { kind } = body;
  if (!ToolName.safeParse(name).success) return [{ pointer: '', detail: 'The name in the path must be a tool name, e.g. sendInvoice: letters, digits, _ and -, at most 64' }];
  if (kind === 'skill') return [{ pointer: '/kind', detail: 'Skills are part of the server and cannot be registered; register a tool of kind http, mcp, worker or client' }];
  const missing = NEEDED.filter((key) => body[key] === undefined).map((key) => ({ pointer: `/${key}`, detail: 'Needed to register a tool' }));
  const foreign = BLOCKS.filter((key) => key !== kind && body[key] !== undefined).map((key) => ({ pointer: `/${key}`, detail: `Only a tool of kind ${key} has this` }));
  return [...missing, ...foreign, ...blockProblems(body)];
};

const blockProblems = ({ kind, http, mcp }: PutToolBody): readonly FieldProblem[] => {
  if (kind === 'http') return http ? targetProblems(http) : [{ pointer: '/http/url', detail: 'A tool of kind http needs the URL that its calls are sent to' }];
  if (kind === 'mcp' && !mcp) return [{ pointer: '/mcp', detail: 'A tool of kind mcp needs its server and its name there' }];
  return [];
};

/**
 * What leaves this server to do something is a message to an outside system: nobody here can take it back. So every tool that is not a skill
 * and does more than read is irreversible, unless whoever registers it says that it is not.
 */
export const sendsOutside = ({ kind, risk }: Pick<ToolDefinition, 'kind' | 'risk'>): boolean => kind !== 'skill' && risk !== 'read';

/** The definition of a body without registration problems, defaults filled in. */
export const definitionOf = (name: string, { enabled: _state, ...body }: PutToolBody, registeredBy: string): ToolDefinition => {
  const whole = { ...body, name, timeoutMs: body.timeoutMs ?? DEFAULT_TIMEOUT_MS, owner: body.owner ?? registeredBy } as ToolDefinition;
  return { ...whole, ...(whole.irreversible === undefined && sendsOutside(whole) && { irreversible: true }) };
};
