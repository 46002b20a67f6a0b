import type { EffectiveTool } from '@app/governance/contract';

type Json = Readonly<Record<string, unknown>>;
type Schema = Json & { readonly type: 'object' };
/** A tool as `tools/list` names it. */
export type ListedTool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly outputSchema?: Schema;
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint: boolean; readonly idempotentHint: boolean; readonly openWorldHint: boolean };
};

/** The name of the endpoint's own tool, which tells what became of a call that waited for a person. */
export const APPROVAL_STATUS = 'approval_status';
export const MAX_WAIT_MS = 300_000;

const STATUSES = ['executed', 'pending_approval', 'staged', 'deferred', 'denied', 'failed', 'indeterminate', 'refused'];

/** References are resolved from the root of a schema, so one that refers to its own parts cannot become a part of another. */
const isSelfContained = (schema: Json) => !/"\$(?:ref|dynamicRef|id|anchor|dynamicAnchor|defs)"|"definitions"/.test(JSON.stringify(schema));

/**
 * A client checks the structured content of a result against what is listed, also that of a call that waits or was denied. So the listed schema is
 * that of the door's answer. The tool's own is told and not insisted on: a result from which a secret was masked may break it, after the call has run.
 */
const answerSchema = (result: Json): Schema => ({
  type: 'object', required: ['status'],
  properties: { status: { type: 'string', enum: STATUSES }, result: { anyOf: [result, { description: 'Masked, or not as promised' }] } },
});

const outputOf = ({ kind, outputSchema }: EffectiveTool): Schema | undefined => {
  if (!outputSchema || !isSelfContained(outputSchema)) return undefined;
  return answerSchema(kind === 'mcp' ? { type: 'object', properties: { structuredContent: outputSchema } } : outputSchema);
};

/** Arguments travel in the body alone: a client that is told to repeat one of them in a header would be trusted to say the same twice. */
const withoutHeaders = (schema: Json): Json => {
  const { 'x-mcp-header': _header, properties, ...rest } = schema;
  if (typeof properties !== 'object' || properties === null) return { ...rest, ...(properties !== undefined && { properties }) };
  return { ...rest, properties: Object.fromEntries(Object.entries(properties as Json).map(([name, part]) => [name, typeof part === 'object' && part !== null && !Array.isArray(part) ? withoutHeaders(part as Json) : part])) };
};

/** Hints are told as the door judges the tool on this site, not as somebody claims. */
export const listedTool = (tool: EffectiveTool): ListedTool => {
  const readOnlyHint = tool.risk === 'read';
  const outputSchema = outputOf(tool);
  return {
    name: tool.name,
    description: tool.description,
    // Arguments are an object whatever a schema says at its root, and the protocol wants to read that there.
    inputSchema: { ...withoutHeaders(tool.inputSchema), type: 'object' },
    ...(outputSchema && { outputSchema }),
    annotations: {
      readOnlyHint, destructiveHint: !readOnlyHint && (tool.risk === 'destructive' || tool.irreversible === true || tool.isDangerous),
      idempotentHint: tool.idempotent ?? readOnlyHint, openWorldHint: tool.kind !== 'skill',
    },
  };
};

export const approvalStatusTool: ListedTool = {
  name: APPROVAL_STATUS,
  description: 'Tells what became of a call that waits for a person. With waitMs it waits that long for the decision, and reports progress meanwhile.',
  inputSchema: {
    type: 'object', required: ['approvalId'], additionalProperties: false,
    properties: {
      approvalId: { type: 'string', description: 'As in the result with status pending_approval' },
      waitMs: { type: 'integer', minimum: 0, maximum: MAX_WAIT_MS, description: 'Milliseconds to wait for a decision' },
    },
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
};
