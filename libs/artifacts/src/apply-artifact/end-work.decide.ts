import { accept, type Decision } from '@app/kernel';
import type { ArtifactEvent } from '../artifact.events';
import { workUnderWay, type Artifact, type Work } from '../artifact.state';

/** How far work has come: through, at a person's question, or at a step that does not go through. */
export type WorkEnd = { readonly is: 'done' } | { readonly is: 'waiting'; readonly done: number; readonly approvalId: string } | { readonly is: 'failed'; readonly done: number; readonly reason: string };

/** Writes down once how far the work of this id has come; work that something else has taken the place of is over. */
export const endWork = (state: Artifact, workId: string, end: WorkEnd, now: Date): Decision<readonly ArtifactEvent[]> => {
  const work = state.status === 'none' ? null : workUnderWay(state);
  if (!work || work.workId !== workId) return accept([]);
  const at = now.toISOString();
  switch (end.is) {
    case 'done':
      return accept([ending(work, at)]);
    case 'waiting':
      return accept(work.approvalId === end.approvalId ? [] : [{ type: 'ArtifactWorkWaiting', data: { workId, done: end.done, approvalId: end.approvalId, at } }]);
    case 'failed':
      return accept([{ type: 'ArtifactWorkFailed', data: { workId, done: end.done, reason: end.reason, at } }]);
  }
};

const ending = (work: Work, at: string): ArtifactEvent => {
  const run = { goalId: work.goalId, runId: work.runId, steps: work.steps.length };
  if (work.does === 'publish') return { type: 'ArtifactPublished', data: { ...work.passed, applied: run, at } };
  const { unfinished, kept, ...taken } = work.taken;
  return { type: 'ArtifactRolledBack', data: { ...taken, ...(unfinished && { unfinished: true as const }), undone: { ...run, kept: [...kept] }, at } };
};
