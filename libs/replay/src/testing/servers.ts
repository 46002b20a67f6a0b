import { Global, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { approvalEvents } from '@app/approvals/contract';
import { Bus, CqrsModule } from '@app/cqrs';
import { EventStore, Executor, InMemoryEventStore, States } from '@app/event-store';
import { goalEvents } from '@app/goals/contract';
import { governanceEvents } from '@app/governance/contract';
import { matchesPattern } from '@app/json-schema';
import { Catalogue } from '@app/kernel';
import { Liveness } from '@app/liveness';
import { runEvents } from '@app/runs/contract';
import { principalEvents } from '@app/sites/contract';
import { stagingEvents } from '@app/staging/contract';
import { prepareAction, SealedArguments, ToolCallsModule } from '@app/tool-calls';
import type { EffectiveTool } from '@app/governance/contract';
import { ExactArguments, ToolHandlers, type CallTarget } from '@app/tool-calls/contract';
import { MemoryVault } from '@app/vault/testing';
import type { Rules } from '../redecide/redecide.policy';

/** What the door decides with, as in the server. */
export const rules: Rules = { prepare: prepareAction, matches: matchesPattern };

export const memoryLog = () =>
  new InMemoryEventStore({ catalogue: new Catalogue(governanceEvents, principalEvents, goalEvents, runEvents, approvalEvents, stagingEvents) });

/** Every tool but `unhandled` has a handler; `fail: true` makes it fail. Patches go to an item, and a person pinned the title of item `c`. */
class PlainHandlers extends ToolHandlers {
  override handles = ({ name }: EffectiveTool) => name !== 'unhandled';
  override preview = () => Promise.resolve([]);
  override target = (_tool: EffectiveTool, { id, data }: Readonly<Record<string, unknown>>): Promise<CallTarget | null> =>
    Promise.resolve(typeof id !== 'string' ? null : {
      collection: 'things', itemId: id, version: 1, pinnedFields: id === 'c' && data ? ['title'] : [], patch: data ? { before: { title: null }, after: data as Record<string, unknown> } : null,
    });
  override run = (_tool: EffectiveTool, input: Readonly<Record<string, unknown>>) =>
    input['fail'] === true ? Promise.reject(new Error('It broke')) : Promise.resolve({ done: true });
}

/** Servers over one log share what is sealed in it. */
const vaults = new WeakMap<EventStore, MemoryVault>();
const vaultOf = (log: EventStore) => {
  const known = vaults.get(log) ?? new MemoryVault();
  vaults.set(log, known);
  return known;
};

/** One server process over a log: the real executor and the real door, with warm states of its own. */
export const serverOver = async (log: EventStore) => {
  const providers = [
    { provide: EventStore, useValue: log },
    { provide: Executor, useValue: new Executor(log, new States(log)) },
    { provide: ToolHandlers, useValue: new PlainHandlers() },
    { provide: Liveness, useValue: { id: undefined, alive: () => Promise.resolve(new Set()) } },
    { provide: ExactArguments, useValue: new SealedArguments(vaultOf(log)) },
  ];
  @Global()
  @Module({ providers, exports: providers })
  class World {}
  const module = await Test.createTestingModule({ imports: [CqrsModule, World, ToolCallsModule] }).compile();
  await module.init();
  return { bus: module.get(Bus), executor: module.get(Executor), close: () => module.close() };
};
export type Server = Awaited<ReturnType<typeof serverOver>>;
