import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ToolDefinition, effectiveTool } from '@app/governance/contract';
import { schemaProblem } from '@app/json-schema';
import { dynamicTool, generateText, jsonSchema, stepCountIs } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { isControlPlane } from './control-plane.policy';
import { coreSkills, skillRegistry } from './core-skills';
import { getAiSdkTools, getAISkillsAsTools, getMcpTools } from './skills-as-tools';

describe('The registry of skills', () => {
  it('[SKILL-001] is one list of name, description, parameters, capabilities, risk, flags, idempotency, domain and handler', () => {
    const names = skillRegistry.map(({ name }) => name);
    expect([new Set(names).size, new Set(skillRegistry.map(({ handler }) => handler)).size]).toEqual([names.length, names.length]);
    for (const entry of skillRegistry) {
      expect(entry).toEqual({
        name: expect.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/), description: expect.stringMatching(/^[A-Z].{10,}\.$/s), parameters: expect.objectContaining({ type: 'object' }),
        capabilities: [expect.stringMatching(/^[a-z-]+:[a-z-]+$/)], risk: expect.stringMatching(/^(read|create|write|destructive)$/),
        dangerous: expect.any(Boolean), irreversible: expect.any(Boolean), idempotent: expect.any(Boolean), stageable: expect.any(Boolean),
        domain: expect.stringMatching(/^(items|schema|tools)$/), handler: expect.stringMatching(/^[a-z-]+\.[A-Za-z][\w-]+$/),
      });
    }
    // Data through and through, and a tool's definition is made from the same line.
    expect(JSON.parse(JSON.stringify(skillRegistry))).toEqual(skillRegistry);
    expect(coreSkills.map(({ definition: { name, description, inputSchema, requiredCapabilities } }) => ({ name, description, parameters: inputSchema, capabilities: requiredCapabilities })))
      .toEqual(skillRegistry.map(({ name, description, parameters, capabilities }) => ({ name, description, parameters, capabilities })));
  });

  it.each(coreSkills.map(({ definition }) => [definition.name, definition.inputSchema] as const))('has parameters that the door can enforce to the letter: %s', (_name, inputSchema) => {
    expect(schemaProblem(inputSchema)).toBeUndefined();
  });

  it('has parameters that are JSON Schema and take nothing beside what they name', () => {
    const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true, email: true, uri: true, date: true } });
    for (const { name, parameters } of skillRegistry) {
      const takes = ajv.compile(parameters);
      expect([name, takes([]), takes(null), takes({ nothingOfTheKind: 1 })]).toEqual([name, false, false, false]);
    }
  });

  it('[SKILL-002] comes as function-calling tools in the form of OpenAI', () => {
    const tools = getAISkillsAsTools();
    expect(tools.map((tool) => tool.function.name)).toEqual(coreSkills.map(({ definition }) => definition.name));
    for (const [index, tool] of tools.entries()) {
      const { name, description, inputSchema } = coreSkills[index]!.definition;
      expect(tool).toEqual({ type: 'function', function: { name, description, parameters: inputSchema } });
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(inputSchema).toMatchObject({ type: 'object' });
    }
  });

  it('[SKILL-003] comes as tools of MCP and of the AI SDK with the same names and schemas', () => {
    const openAi = Object.fromEntries(getAISkillsAsTools().map((tool) => [tool.function.name, tool.function.parameters]));
    const mcp = Object.fromEntries(getMcpTools().map(({ name, inputSchema }) => [name, inputSchema]));
    const aiSdk = Object.fromEntries(Object.entries(getAiSdkTools()).map(([name, { inputSchema }]) => [name, inputSchema]));
    expect(Object.keys(openAi).length).toBe(skillRegistry.length);
    expect(mcp).toEqual(openAi);
    expect(aiSdk).toEqual(openAi);
    const hints = Object.fromEntries(getMcpTools().map(({ name, annotations }) => [name, annotations]));
    expect(hints['listItems']).toEqual({ readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false });
    expect(hints['removeUser']).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(hints['createCollection']).toMatchObject({ destructiveHint: false, idempotentHint: false });
  });

  it('[SKILL-003] is offered to a model by the AI SDK itself, name by name and schema by schema, and called through it', async () => {
    const called: unknown[] = [];
    const tools = Object.fromEntries(Object.entries(getAiSdkTools()).map(([name, { description, inputSchema }]) => [
      name, dynamicTool({ description, inputSchema: jsonSchema(inputSchema), execute: (input) => Promise.resolve(called.push([name, input])) }),
    ]));
    const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
    const input = { collection: 'products', data: { title: 'One' } };
    const model = new MockLanguageModelV4({
      doGenerate: { content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'createItem', input: JSON.stringify(input) }], finishReason: { unified: 'tool-calls', raw: undefined }, usage, warnings: [] },
    });
    await generateText({ model, tools, prompt: 'Make one', stopWhen: stepCountIs(1) });
    expect(called).toEqual([['createItem', input]]);
    const offered = (model.doGenerateCalls[0]!.tools ?? []).map((tool) => (tool.type === 'function' ? { name: tool.name, description: tool.description, parameters: tool.inputSchema } : null));
    expect(offered).toEqual(getAISkillsAsTools().map((tool) => tool.function));
  });

  it.each(['deleteCollection', 'triggerDeployment', 'createCdcSubscription', 'replayCdcSubscription', 'deleteCdcSubscription'])('[SKILL-016] counts %s as control plane', (name) => {
    const { definition } = coreSkills.find((each) => each.definition.name === name)!;
    expect(isControlPlane(definition)).toBe(true);
    // No override takes that back.
    expect(isControlPlane(effectiveTool({ definition, override: { dangerous: false, requiredCapabilities: ['items:read'], risk: 'read' }, enabled: true }))).toBe(true);
  });

  it('counts as control plane what is dangerous, changes the schema or deletes, and nothing else', () => {
    const tool = (name: string, more: object = {}) => ToolDefinition.parse({ name, kind: 'skill', description: 'x', inputSchema: {}, requiredCapabilities: ['items:read'], risk: 'read', owner: 'core', ...more });
    for (const [name, more] of [['x', { dangerous: true }], ['x', { irreversible: true }], ['x', { requiredCapabilities: ['schema:update'] }], ['deleteItem', {}], ['server.delete_all', {}]] as const)
      expect([name, more, isControlPlane(tool(name, more))]).toEqual([name, more, true]);
    for (const [name, more] of [['x', {}], ['x', { requiredCapabilities: ['schema:read'] }], ['undelete', {}], ['delete.look', {}], ['updateItem', { requiredCapabilities: ['items:update'], risk: 'write' }]] as const)
      expect([name, more, isControlPlane(tool(name, more))]).toEqual([name, more, false]);
    for (const { definition } of coreSkills.filter((each) => each.definition.risk === 'read')) expect([definition.name, isControlPlane(definition)]).toEqual([definition.name, false]);
    expect(coreSkills.filter(({ definition }) => effectiveTool({ definition, override: {}, enabled: true }).isDangerous && !isControlPlane(definition))).toEqual([]);
  });
});
