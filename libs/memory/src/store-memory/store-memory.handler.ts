import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore, Executor, idFor } from '@app/event-store';
import { goal } from '@app/goals/contract';
import { governance } from '@app/governance/contract';
import { missing, personId, reject, type Context, type Outcome } from '@app/kernel';
import { isOpened, run } from '@app/runs/contract';
import { principal as principalAggregate } from '@app/sites/contract';
import { maskSecrets } from '@app/vault/contract';
import { KeptTexts } from '../kept-texts';
import { memory } from '../memory.state';
import { memoryView, type MemoryView } from '../memory-list/memory.view';
import { StoreMemory, type StoreMemoryBody } from './store-memory.command';
import { storeMemory } from './store-memory.decide';

/** Of a memory that is written without a run. */
const NO_RUN = 'none';

@CommandHandler(StoreMemory)
export class StoreMemoryHandler implements ICommandHandler<StoreMemory> {
  constructor(
    private readonly executor: Executor,
    private readonly store: EventStore,
    private readonly texts: KeptTexts,
  ) {}

  async execute({ body, principal, context }: StoreMemory): Promise<Outcome<MemoryView>> {
    const memoryId = idFor('mem', context);
    const { content, tags, sources, embedding = null } = maskSecrets(body).masked;
    const before = await this.executor.current(memory, memoryId);
    const made = {
      memoryId, goalOwner: await this.goalOwner(body, context),
      sealed: before.state.status === 'none' ? await this.texts.seal(memoryId, 1, context.siteId, { content, tags, sources, embedding }) : '',
    };
    const refs = {
      memory: { aggregate: memory, id: memoryId },
      run: { aggregate: run, id: body.runId ?? NO_RUN, guard: true },
      governance: { aggregate: governance, id: context.siteId, guard: true },
    } as const;
    const inRun = { ...context, ...(body.runId !== undefined && { runId: body.runId }) };
    const done = await this.executor.execute(refs, inRun, (states) => storeMemory(states, body, principal, made, context));
    if (!done.ok) {
      // When the log was out of reach nobody knows whether it was stored: then the key stays.
      if (done.rejection.kind !== 'unavailable' && before.state.status === 'none') await this.texts.destroy(memoryId);
      return done;
    }
    const { memory: state } = done.states;
    if (state.status === 'none') return missing();
    if (state.status === 'forgotten') return reject('gone', 'GONE', 'This memory was forgotten.');
    const [text] = await this.texts.open([state]);
    return text ? { ok: true, data: memoryView(state, text), position: done.position } : reject('gone', 'GONE', 'This memory was forgotten.');
  }

  /** The person behind the goal that is named, or behind the run's; null when this site has none such. */
  private async goalOwner({ scope, runId }: StoreMemoryBody, { siteId }: Context): Promise<string | null> {
    const inRun = runId === undefined ? undefined : (await this.executor.current(run, runId)).state;
    const goalId = scope.goalId ?? (inRun && isOpened(inRun) ? inRun.goalId : undefined);
    if (goalId === undefined) return null;
    for await (const first of this.store.read(`goal-${goalId}`)) {
      if (first.siteId !== siteId) return null;
      const { state } = await this.executor.states.load(goal, goalId);
      if (state.status === 'none') return null;
      const { state: owner } = await this.executor.states.load(principalAggregate, state.owner);
      return owner.status === 'known' ? personId(owner.principal) : state.owner;
    }
    return null;
  }
}
