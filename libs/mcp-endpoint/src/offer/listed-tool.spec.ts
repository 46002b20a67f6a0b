import { describe, expect, it } from '@jest/globals';
import { effectiveTool, type ToolDefinition } from '@app/governance/contract';
import { checkArguments } from '@app/json-schema';
import fc from 'fast-check';
import { listedTool } from './listed-tool.view';

const tool = (more: Partial<ToolDefinition> = {}) =>
  effectiveTool({ definition: { name: 'lookUp', kind: 'http', description: 'Looks up', inputSchema: { type: 'object' }, requiredCapabilities: ['x:y'], risk: 'write', timeoutMs: 1, owner: 'me', ...more }, override: {}, enabled: true });

describe('A listed tool', () => {
  it.each<[Partial<ToolDefinition>, object]>([
    [{ risk: 'read' }, { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true }],
    [{ risk: 'create', kind: 'skill' }, { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }],
    [{ risk: 'write', idempotent: true }, { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true }],
    [{ risk: 'write', irreversible: true }, { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }],
    [{ risk: 'destructive' }, { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }],
  ])('%j has hints as the door judges it', (more, annotations) => {
    expect(listedTool(tool(more)).annotations).toEqual(annotations);
  });

  it('asks for no argument in a header, and always for an object', () => {
    const inputSchema = { properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, at: { properties: { x: { 'x-mcp-header': 'X' } } } }, required: ['region'] };
    expect(listedTool(tool({ inputSchema: inputSchema as never })).inputSchema).toEqual({ type: 'object', properties: { region: { type: 'string' }, at: { properties: { x: {} } } }, required: ['region'] });
  });

  it('has an output schema that every answer of the door satisfies', () => {
    const outputSchema = listedTool(tool({ outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] } })).outputSchema!;
    fc.assert(
      fc.property(fc.constantFrom('executed', 'pending_approval', 'staged', 'deferred', 'denied', 'failed', 'indeterminate', 'refused'), fc.option(fc.jsonValue(), { nil: undefined }), (status, result) => {
        expect(checkArguments(outputSchema as never, { status, callId: 'call_1', ...(result !== undefined && { result }) }).problems).toEqual([]);
      }),
    );
    expect(listedTool(tool({ outputSchema: { type: 'object', $defs: { a: {} }, properties: { x: { $ref: '#/$defs/a' } } } as never }))).not.toHaveProperty('outputSchema');
  });
});
