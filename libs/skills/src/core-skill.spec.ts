import { describe, expect, it } from '@jest/globals';
import { effectiveTool, ToolDefinition } from '@app/governance/contract';
import { z } from 'zod';
import { skill } from './core-skill';

const made = (name: string, capability: string, risk: ToolDefinition['risk'] = 'write') =>
  skill(name, { description: 'x', input: z.strictObject({}), capability, risk, run: () => Promise.reject(new Error('Not run')) }).definition;
const classOf = (definition: ToolDefinition) => effectiveTool({ definition, override: {}, enabled: true });

describe('A core skill', () => {
  it.each(['access:create', 'access:delete', 'intents:write', 'flows:write', 'flows:run'])('[TOOL-006] that changes something with %s carries dangerous: true', (capability) => {
    for (const risk of ['create', 'write', 'destructive'] as const) expect(made('doSomething', capability, risk)).toMatchObject({ dangerous: true });
    expect(made('lookAtSomething', capability, 'read')).not.toHaveProperty('dangerous');
  });

  it.each(['createVersion', 'updateVersion', 'promoteVersion'])('[TOOL-007] named %s carries dangerous: true', (name) => {
    expect(made(name, 'items:write')).toMatchObject({ dangerous: true });
  });

  it.each(['deleteCollection', 'deleteField', 'deleteRole', 'deletePolicy', 'deleteRelation', 'revokeApiKey', 'removeUser'])('[TOOL-010] named %s is irreversible', (name) => {
    expect(classOf(made(name, 'items:delete', 'destructive'))).toMatchObject({ irreversible: true, isDangerous: true });
  });

  it('carries nothing that it did not ask for', () => {
    expect(made('updateItem', 'items:update')).not.toHaveProperty('dangerous');
    expect(made('deleteItem', 'items:delete')).not.toHaveProperty('irreversible');
    expect(ToolDefinition.parse(made('updateItem', 'items:update'))).toEqual(made('updateItem', 'items:update'));
  });
});
