import { Injectable } from '@nestjs/common';
import { Executor, idFor } from '@app/event-store';
import type { Context, Outcome, Rejection } from '@app/kernel';
import { ReadModels } from '@app/projections';
import { deskFile, type DeskFile } from '../desk-file.state';
import { deskUsage, usageId } from '../desk-list/desk-usage.projection';
import { fileView, type FileView } from '../desk-list/file.view';
import type { DeskChange } from '../desk.schema';
import { fileRevisions, revisionId } from '../file-revisions/file-revisions.projection';
import { ownFile, type DeskOwner } from '../own-file.policy';
import { decideDeskChange, type DeskFacts } from './desk-change.decide';

/** Stands for the id of a file that is not there yet. */
const NEW = 'desk_new';

/**
 * The single executor of desk changes: a tool call that ran at once, an approval that resumes one, a step of an approved plan and a person over
 * REST all end here. Nothing else writes to a desk.
 */
@Injectable()
export class DeskExecutor {
  constructor(
    private readonly executor: Executor,
    private readonly reads: ReadModels,
  ) {}

  async carryOutChange(change: DeskChange, owner: DeskOwner, context: Context): Promise<Outcome<FileView>> {
    const made = change.do === 'create';
    const fileId = made ? idFor('desk', context) : change.fileId;
    const facts = await this.factsOf(change, fileId, owner);
    const refs = { file: { aggregate: deskFile, id: fileId, ...(made && { fresh: true as const }) } };
    const done = await this.executor.execute(refs, context, ({ file }) => {
      const decision = decideDeskChange(file, change, owner, facts, context);
      return decision.ok ? { ok: true, events: { file: decision.events } } : decision;
    });
    if (!done.ok) return done;
    const found = ownFile(done.states.file, owner);
    return found.ok ? { ok: true, data: fileView(found.file), position: done.position } : found;
  }

  /**
   * Decides changes one after the other, as if each had happened before the next, and writes nothing. The first refusal, with the number of the
   * change; null when all would go through now. `told` hears of a file before and after each change.
   */
  async rehearse(
    changes: readonly DeskChange[],
    owner: DeskOwner,
    now: Date,
    told: (before: DeskFile, after: DeskFile) => void = () => undefined,
  ): Promise<{ readonly nr: number; readonly rejection: Rejection } | null> {
    const states = new Map<string, DeskFile>();
    for (const [nr, change] of changes.entries()) {
      const fileId = change.do === 'create' ? NEW : change.fileId;
      const before = change.do === 'create' ? deskFile.initial : (states.get(fileId) ?? (await this.executor.current(deskFile, fileId)).state);
      const decision = decideDeskChange(before, change, owner, await this.factsOf(change, fileId, owner), { now });
      if (!decision.ok) return { nr, rejection: decision.rejection };
      const after = decision.events.reduce(deskFile.evolve, before);
      states.set(fileId, after);
      told(before, after);
    }
    return null;
  }

  private async factsOf(change: DeskChange, fileId: string, { siteId, ownerId }: DeskOwner): Promise<DeskFacts> {
    const grows = change.do === 'create' || change.do === 'restore';
    const usage = grows ? await this.reads.find(deskUsage, siteId, usageId(siteId, ownerId)) : null;
    const wanted = change.do === 'restore' ? change.revision : undefined;
    const stored = wanted === undefined ? null : await this.storedContent(fileId, wanted, siteId);
    return { fileId, filesNow: usage?.files ?? 0, stored };
  }

  /** A stored revision never changes, so a row is as good as the log; the file's own last event must have been seen. */
  private async storedContent(fileId: string, revision: number, siteId: string) {
    const { state, position } = await this.executor.current(deskFile, fileId);
    if (state.status === 'none' || state.siteId !== siteId) return null;
    await this.reads.reached(fileRevisions, position);
    return (await this.reads.find(fileRevisions, siteId, revisionId(fileId, revision)))?.content ?? null;
  }
}
