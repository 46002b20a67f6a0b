import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { reject, type Outcome } from '@app/kernel';
import { KeptTexts } from '../kept-texts';
import { changeable } from '../known-memory.policy';
import { memory } from '../memory.state';
import { memoryView, type MemoryView } from '../memory-list/memory.view';
import { RedactMemory } from './redact-memory.command';
import { redactMemory } from './redact-memory.decide';
import { redacted } from './redaction.policy';

const gone = () => reject('gone', 'GONE', 'This memory was forgotten.');

@CommandHandler(RedactMemory)
export class RedactMemoryHandler implements ICommandHandler<RedactMemory> {
  constructor(
    private readonly executor: Executor,
    private readonly texts: KeptTexts,
  ) {}

  async execute({ memoryId, body, principal, context }: RedactMemory): Promise<Outcome<MemoryView>> {
    const found = changeable((await this.executor.current(memory, memoryId)).state, principal, context.siteId);
    if (!found.ok) return found;
    const { revision: from } = found.memory;
    const [before] = await this.texts.open([found.memory]);
    if (!before) return gone();
    const after = redacted(before, body);
    if (!after) return reject('invalid', 'VALIDATION_FAILED', 'None of these texts stands in this memory.');
    const sealed = await this.texts.seal(memoryId, from + 1, context.siteId, after);
    const done = await this.executor.execute({ memory: { aggregate: memory, id: memoryId } }, context, (states) => redactMemory(states.memory, { from, sealed }, principal, context));
    if (!done.ok) return done;
    const now = changeable(done.states.memory, principal, context.siteId);
    if (!now.ok) return now;
    await this.texts.destroyBefore(memoryId, now.memory.revision);
    const [text] = await this.texts.open([now.memory]);
    return text ? { ok: true, data: memoryView(now.memory, text), position: done.position } : gone();
  }
}
