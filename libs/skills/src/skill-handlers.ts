import type { Bus } from '@app/cqrs';
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

  override handles = (tool: string) => this.skills.has(tool);

  override async run(tool: string, input: Readonly<Record<string, unknown>>, call: CallContext): Promise<unknown> {
    const outcome = await this.skills.get(tool)!.run(input as never, call, this.bus);
    if (outcome.ok) return outcome.data;
    const { code, detail, facts } = outcome.rejection;
    throw new Error(`${code}: ${detail}${facts === undefined ? '' : ` ${JSON.stringify(facts)}`}`);
  }

  override async preview(tool: string, input: Readonly<Record<string, unknown>>, { siteId }: Context): Promise<readonly Change[]> {
    return (await this.skills.get(tool)?.preview?.(input as never, siteId, this.bus)) ?? [];
  }

  override async target(tool: string, input: Readonly<Record<string, unknown>>, siteId: string): Promise<CallTarget | null> {
    return (await this.skills.get(tool)?.target?.(input as never, siteId, this.bus)) ?? null;
  }
}
