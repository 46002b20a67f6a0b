import { skillRegistry } from './core-skills';
import type { SkillEntry } from './skill-registry';

type Parameters = SkillEntry['parameters'];

export type OpenAiTool = { readonly type: 'function'; readonly function: { readonly name: string; readonly description: string; readonly parameters: Parameters } };

/** The registry for models that take functions in the form of OpenAI. */
export const getAISkillsAsTools = (skills: readonly SkillEntry[] = skillRegistry): readonly OpenAiTool[] =>
  skills.map(({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters } }));

export type McpTool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Parameters;
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint: boolean; readonly idempotentHint: boolean; readonly openWorldHint: boolean };
};

/** The registry as `tools/list` of an MCP server tells it. The hints are hints: what a call needs is decided when it comes. */
export const getMcpTools = (skills: readonly SkillEntry[] = skillRegistry): readonly McpTool[] =>
  skills.map(({ name, description, parameters, risk, irreversible, idempotent }) => ({
    name, description, inputSchema: parameters,
    annotations: { readOnlyHint: risk === 'read', destructiveHint: risk === 'destructive' || irreversible, idempotentHint: risk === 'read' || idempotent, openWorldHint: false },
  }));

export type AiSdkTool = { readonly description: string; readonly inputSchema: Parameters };

/**
 * The registry by name, for the AI SDK: each is a tool as soon as its schema went through `jsonSchema` and it was given an `execute` that asks the
 * harness, `dynamicTool({ description, inputSchema: jsonSchema(inputSchema), execute })`.
 */
export const getAiSdkTools = (skills: readonly SkillEntry[] = skillRegistry): Readonly<Record<string, AiSdkTool>> =>
  Object.fromEntries(skills.map(({ name, description, parameters }) => [name, { description, inputSchema: parameters }]));
