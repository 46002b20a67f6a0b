import type { Bus } from '@app/cqrs';
import type { EffectiveTool } from '@app/governance/contract';
import type { Context } from '@app/kernel';
import { ToolHandlers, type CallContext, type CallTarget, type Change } from '@app/tool-calls/contract';
import type { CoreSkill } from './core-skill';

/** The handlers behind the door for tools of kind `skill`. */
export class SkillHandlers extends ToolHandlers {
  private readonly skills: ReadonlyMap<string, CoreSkill>;

  constructor(
    private readonly bus: Bus,
    skills: readonly CoreSkill[],
  ) {
    super();
    this.skills = new Map(skills.map((entry) => [entry.definition.name, entry]));
  }

  override handles = ({ name }: EffectiveTool) => this.skills.has(name);

  override async run({ name }: EffectiveTool, input: Readonly<Record<string, unknown>>, call: CallContext): Promise<unknown> {
    const outcome = await this.skills.get(name)!.run(input as never, call, this.bus);
    if (outcome.ok) return outcome.data;
    const { code, detail, facts } = outcome.rejection;
    throw new Error(`${code}: ${detail}${facts === undefined ? '' : ` ${JSON.stringify(facts)}`}`);
  }

  override async preview({ name }: EffectiveTool, input: Readonly<Record<string, unknown>>, { siteId }: Context): Promise<readonly Change[]> {
    return (await this.skills.get(name)?.preview?.(input as never, siteId, this.bus)) ?? [];
  }

  override async target({ name }: EffectiveTool, input: Readonly<Record<string, unknown>>, siteId: string): Promise<CallTarget | null> {
    return (await this.skills.get(name)?.target?.(input as never, siteId, this.bus)) ?? null;
  }
}
