import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance, toolOf } from '@app/governance/contract';
import { missing, type Outcome } from '@app/kernel';
import { toolView, type ToolView } from '../tool-list/tool.view';
import { RemoveOverride } from './remove-override.command';
import { removeOverride } from './remove-override.decide';

@CommandHandler(RemoveOverride)
export class RemoveOverrideHandler implements ICommandHandler<RemoveOverride> {
  constructor(private readonly executor: Executor) {}

  async execute({ name, context }: RemoveOverride): Promise<Outcome<ToolView>> {
    const refs = { governance: { aggregate: governance, id: context.siteId } };
    const done = await this.executor.execute(refs, context, ({ governance: state }) => removeOverride(state, name));
    if (!done.ok) return done;
    const tool = toolOf(done.states.governance, name);
    return tool ? { ok: true, data: toolView(tool), position: done.position } : missing();
  }
}
