import { Injectable } from '@nestjs/common';
import { Executor } from '@app/event-store';
import { missing, personId, type Context, type Rejected } from '@app/kernel';
import { isOpened, run } from '@app/runs/contract';
import { principal } from '@app/sites/contract';
import type { DeskAsker } from './desk-asker.policy';
import type { DeskOwner } from './own-file.policy';

type Found = { readonly ok: true; readonly owner: DeskOwner } | Rejected;

/** Whose desk it is. Never taken from what a caller or a model says. */
@Injectable()
export class DeskOwners {
  constructor(private readonly executor: Executor) {}

  async of(asker: DeskAsker, context: Pick<Context, 'siteId' | 'actor'>): Promise<Found> {
    return 'ownerId' in asker ? { ok: true, owner: { siteId: context.siteId, ownerId: asker.ownerId } } : this.ofRun(asker.runId, context);
  }

  /** Whoever else may call on a run, an admin for one, gets at no desk by that. */
  private async ofRun(runId: string, { siteId, actor }: Pick<Context, 'siteId' | 'actor'>): Promise<Found> {
    const { state } = await this.executor.states.load(run, runId);
    if (!isOpened(state) || state.envelope.context.siteId !== siteId || state.envelope.principalId !== actor.id) return missing();
    return this.ofPrincipal(actor.id, siteId);
  }

  async ofPrincipal(principalId: string, siteId: string): Promise<Found> {
    const warm = await this.executor.states.load(principal, principalId);
    const { state } = warm.version === 0 ? await this.executor.current(principal, principalId) : warm;
    return state.status === 'none' ? missing() : { ok: true, owner: { siteId, ownerId: personId(state.principal) } };
  }
}
