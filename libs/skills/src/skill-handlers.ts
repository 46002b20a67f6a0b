import type { Bus } from '@app/cqrs';
import type { EffectiveTool } from '@app/governance/contract';
import type { Context } from '@app/kernel';
import { ToolHandlers, type CallContext, type CallTarget, type Change } from '@app/tool-calls/contract';
import type { CoreSkill } from './core-skill';

/** The handlers behind the door for tools of kind `skill`. */
export class SkillHandlers extends ToolHandlers {
  private readonly skills: ReadonlyMap<string, CoreSkill>;
  /** The keys of all handlers that are here, in the order of the registry. */
  readonly keys: readonly string[];

  constructor(
    private readonly bus: Bus,
    skills: readonly CoreSkill[],
  ) {
    super();
    this.skills = new Map(skills.map((entry) => [entry.definition.name, entry]));
    this.keys = [...this.skills.values()].map(({ handler }) => handler);
  }

  override handles = ({ name }: EffectiveTool) => this.skills.has(name);

  override async run({ name }: EffectiveTool, input: Readonly<Record<string, unknown>>, call: CallContext): Promise<unknown> {
    const outcome = await this.skills.get(name)!.run(input as never, call, this.bus);
    if (outcome.ok) return outcome.data;
    const { code, detail, facts } = outcome.rejection;
    throw new Error(`${code}: ${detail}${facts === undefined ? '' : ` ${JSON.stringify(facts)}`}`);
  }

  override async preview({ name }: EffectiveTool, input: Readonly<Record<string, unknown>>, { siteId, actor }: Context): Promise<readonly Change[]> {
    return (await this.skills.get(name)?.preview?.(input as never, siteId, this.bus, actor.id)) ?? [];
  }

  override async target({ name }: EffectiveTool, input: Readonly<Record<string, unknown>>, siteId: string, principalId: string): Promise<CallTarget | null> {
    return (await this.skills.get(name)?.target?.(input as never, siteId, this.bus, principalId)) ?? null;
  }

  override writes({ name }: EffectiveTool, input: Readonly<Record<string, unknown>>): number {
    return this.skills.get(name)?.writes?.(input as never) ?? 1;
  }
}
