import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance, toolOf, type EffectiveTool } from '@app/governance/contract';
import { missing, type Outcome } from '@app/kernel';
import { toolView, type ToolView } from '../tool-list/tool.view';
import { RemoveOverride } from './remove-override.command';
import { removeOverride } from './remove-override.decide';

@CommandHandler(RemoveOverride)
export class RemoveOverrideHandler implements ICommandHandler<RemoveOverride> {
  constructor(private readonly executor: Executor) {}

  /** Answers with the skill as it is now, or with the site's own tool as it was, switched off. */
  async execute({ name, context }: RemoveOverride): Promise<Outcome<ToolView>> {
    const refs = { governance: { aggregate: governance, id: context.siteId } };
    let before: EffectiveTool | undefined;
    const done = await this.executor.execute(refs, context, ({ governance: state }) => {
      before = toolOf(state, name) ?? before;
      return removeOverride(state, name);
    });
    if (!done.ok) return done;
    const tool = toolOf(done.states.governance, name) ?? (before && { ...before, enabled: false });
    return tool ? { ok: true, data: toolView(tool), position: done.position } : missing();
  }
}
