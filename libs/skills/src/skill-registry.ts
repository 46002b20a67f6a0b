import { effectiveTool, type ToolDefinition } from '@app/governance/contract';
import type { CoreSkill } from './core-skill';

/** One line of the registry, as plain data. */
export type SkillEntry = {
  readonly name: string;
  readonly description: string;
  /** JSON Schema, draft 2020-12. */
  readonly parameters: ToolDefinition['inputSchema'];
  readonly capabilities: readonly string[];
  readonly risk: ToolDefinition['risk'];
  /** As a site finds it that overrides nothing. */
  readonly dangerous: boolean;
  readonly irreversible: boolean;
  readonly idempotent: boolean;
  readonly stageable: boolean;
  readonly domain: CoreSkill['domain'];
  readonly handler: string;
};

export const registryOf = (skills: readonly CoreSkill[]): readonly SkillEntry[] =>
  skills.map(({ definition, domain, handler }) => {
    const { name, description, inputSchema: parameters, requiredCapabilities: capabilities, risk, irreversible = false, idempotent = false, stageable = false } = definition;
    const { isDangerous: dangerous } = effectiveTool({ definition, override: {}, enabled: true });
    return { name, description, parameters, capabilities, risk, dangerous, irreversible, idempotent, stageable, domain, handler };
  });
