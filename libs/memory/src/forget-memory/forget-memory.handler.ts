import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import type { Outcome } from '@app/kernel';
import { KeptTexts } from '../kept-texts';
import { memory } from '../memory.state';
import { ForgetMemory, type ForgottenMemoryView } from './forget-memory.command';
import { forgetMemory } from './forget-memory.decide';

/** The log first: should this process die in between, whoever follows the log destroys the keys. */
@CommandHandler(ForgetMemory)
export class ForgetMemoryHandler implements ICommandHandler<ForgetMemory> {
  constructor(
    private readonly executor: Executor,
    private readonly texts: KeptTexts,
  ) {}

  async execute({ memoryId, principal, context }: ForgetMemory): Promise<Outcome<ForgottenMemoryView>> {
    const done = await this.executor.execute({ memory: { aggregate: memory, id: memoryId } }, context, (states) => forgetMemory(states.memory, principal, context));
    if (!done.ok) return done;
    await this.texts.destroy(memoryId);
    return { ok: true, data: { id: memoryId, forgotten: true }, position: done.position };
  }
}
