import { freezeOf, type Governance } from '@app/governance/contract';
import { accept, missing, personId, reject, type Context, type Decision, type Principal, type Rejected } from '@app/kernel';
import { isLive, isOpened, type Run } from '@app/runs/contract';
import type { MemoryEvent } from '../memory.events';
import type { MemoryProvenance, MemoryScope } from '../memory.schema';
import type { Memory } from '../memory.state';
import { personOfActor } from '../person.policy';
import type { StoreMemoryBody } from './store-memory.command';

type Written = Pick<StoreMemoryBody, 'confidence' | 'expiresAt' | 'runId' | 'scope'>;
/** `goalOwner` is the owner of the goal named by the scope, or of the run's goal; null when this site has no such goal. */
type Made = { readonly memoryId: string; readonly sealed: string; readonly goalOwner: string | null };
type States = { readonly memory: Memory; readonly run: Run; readonly governance: Governance };
type Origin = Omit<MemoryProvenance, 'by'>;

/** A memory comes with whose it is, and nobody writes into a scope that is not their own: what it says will stand in other prompts. */
export const storeMemory = (
  states: States,
  written: Written,
  principal: Principal,
  { memoryId, sealed, goalOwner }: Made,
  { actor, siteId, now }: Pick<Context, 'actor' | 'siteId' | 'now'>,
): Decision<{ readonly memory: readonly MemoryEvent[] }> => {
  if (states.memory.status !== 'none') return accept({ memory: [] });
  if (states.governance.status === 'none') return missing();
  const origin = originOf(states.run, written.runId, principal, siteId);
  if ('ok' in origin) return origin;
  const scope = { role: written.scope.role ?? null, goalId: written.scope.goalId ?? null, userId: written.scope.userId ?? null };
  const refused = foreignScope(scope, origin, principal, goalOwner) ?? frozen(states.governance, origin.agentRole);
  if (refused) return refused;
  const expiresAt = written.expiresAt === undefined ? null : new Date(written.expiresAt).toISOString();
  if (expiresAt !== null && expiresAt <= now.toISOString()) return reject('invalid', 'VALIDATION_FAILED', 'A memory expires in the future.', { expiresAt });
  const provenance = { by: personOfActor(actor), ...origin };
  return accept({ memory: [{ type: 'MemoryStored', data: { memoryId, siteId, scope, sealed, confidence: written.confidence, expiresAt, provenance, at: now.toISOString() } }] });
};

/** Only a run's own agent writes in it, and only while it works. */
const originOf = (run: Run, runId: string | undefined, principal: Principal, siteId: string): Origin | Rejected => {
  if (runId === undefined) return { runId: null, goalId: null, agentName: null, agentRole: principal.agentRole ?? null };
  if (!isOpened(run) || run.envelope.context.siteId !== siteId) return missing();
  if (run.envelope.principalId !== principal.id && !principal.roles.includes('admin')) return missing();
  if (run.status === 'queued') return reject('conflict', 'CONFLICT', 'This run has not begun.', { runStatus: run.status });
  if (!isLive(run)) return reject('conflict', 'RUN_TERMINAL', 'This run has already ended.', { runStatus: run.status, stopReason: run.stopReason });
  return { runId: run.runId, goalId: run.goalId, agentName: run.agentName, agentRole: run.agentRole ?? null };
};

const foreignScope = (scope: MemoryScope, { runId, goalId, agentRole }: Origin, principal: Principal, goalOwner: string | null): Rejected | undefined => {
  if (scope.goalId !== null && (goalOwner === null || (runId !== null && scope.goalId !== goalId))) return missing();
  if (principal.roles.includes('admin')) return undefined;
  if (principal.kind === 'agent' && scope.goalId !== null && runId === null) return reject('forbidden', 'FORBIDDEN', 'An agent remembers something for a goal in a run of that goal; name the run as `runId`.');
  if (principal.kind === 'agent' && scope.role !== null && scope.role !== agentRole) return reject('forbidden', 'FORBIDDEN', 'An agent remembers something for its own role only.', { agentRole });
  const users = [personId(principal), ...(runId !== null && goalOwner !== null ? [goalOwner] : [])];
  return scope.userId === null || users.includes(scope.userId) ? undefined : reject('forbidden', 'FORBIDDEN', 'Memories are stored for oneself, or in a run for the owner of its goal; an admin may name anybody.');
};

const frozen = (governance: Extract<Governance, { status: 'site' }>, agentRole: string | null): Rejected | undefined => {
  const freeze = freezeOf(governance, { agentRole });
  return freeze && reject('frozen', 'FROZEN', 'This work is frozen until somebody lifts the freeze.', { freezeId: freeze.freezeId, scope: freeze.scope });
};
