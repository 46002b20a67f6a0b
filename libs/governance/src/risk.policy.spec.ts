import { describe, expect, it } from '@jest/globals';
import { domainOf, effectiveTool } from './risk.policy';
import { ToolDefinition } from './tool.schema';

const tool = (overrides: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name: 'updateItem', kind: 'skill', description: 'Changes an item', inputSchema: { type: 'object' }, requiredCapabilities: ['items:update'], risk: 'write',
  timeoutMs: 30_000, owner: 'core', ...overrides,
});
const isDangerous = (definition: Partial<ToolDefinition>, override: Parameters<typeof effectiveTool>[0]['override'] = {}) =>
  effectiveTool({ definition: tool(definition), override, enabled: true }).isDangerous;

describe('The risk class of a tool', () => {
  it('[TOOL-003] is dangerous when the name starts with delete', () => {
    expect(isDangerous({ name: 'deleteItem' })).toBe(true);
    expect(isDangerous({ name: 'files.delete_file' })).toBe(true);
    expect(isDangerous({ name: 'undeleteItem' })).toBe(false);
  });

  it.each(['schema:create', 'schema:update', 'schema:delete'])('[TOOL-004] is dangerous when it requires %s', (capability) => {
    expect(isDangerous({ requiredCapabilities: ['items:read', capability] })).toBe(true);
  });

  it('[TOOL-004] is not dangerous for schema:read alone', () => {
    expect(isDangerous({ requiredCapabilities: ['schema:read'] })).toBe(false);
  });

  it('[TOOL-005] is dangerous when it says so', () => {
    expect(isDangerous({ dangerous: true })).toBe(true);
  });

  it('[TOOL-008] is not dangerous for creating and updating items', () => {
    expect(isDangerous({ name: 'createItem', requiredCapabilities: ['items:write'], risk: 'create' })).toBe(false);
    expect(isDangerous({})).toBe(false);
  });

  it('follows the site in both directions, except for what cannot be undone', () => {
    expect(isDangerous({}, { dangerous: true })).toBe(true);
    expect(isDangerous({ name: 'deleteItem' }, { dangerous: false })).toBe(false);
    expect(isDangerous({ irreversible: true }, { dangerous: false })).toBe(true);
  });

  it('names the reviewers by the capability', () => {
    expect(['items:delete', 'schema:create', 'flows:run'].map(domainOf)).toEqual(['items', 'schema', 'tools']);
  });
});

describe('Tool metadata', () => {
  it('[TOOL-001] consists of risk, capabilities, flags, schemas, rate limit, owner and time limit, and of nothing else', () => {
    const full = tool({ dangerous: true, irreversible: true, idempotent: true, outputSchema: {}, rateLimit: { calls: 1, perMs: 1_000 } });
    expect(ToolDefinition.parse(full)).toEqual(full);
    for (const key of ['risk', 'requiredCapabilities', 'inputSchema', 'owner'] as const) {
      expect(ToolDefinition.safeParse({ ...full, [key]: undefined }).success).toBe(false);
    }
    expect(ToolDefinition.safeParse({ ...full, risk: 'mild' }).success).toBe(false);
    expect(ToolDefinition.safeParse({ ...full, surprise: 1 }).success).toBe(false);
  });

  it('[TOOL-002] has a time limit of 30 seconds by default', () => {
    const { timeoutMs: _none, ...rest } = tool();
    expect(ToolDefinition.parse(rest).timeoutMs).toBe(30_000);
  });
});
