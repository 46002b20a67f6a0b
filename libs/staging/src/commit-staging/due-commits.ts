import type { Asked, Attempted, StagingCommitter } from './staging-committer';

/** What a clock does about one staged change: `later` while there is something left to try. What goes wrong is on the record, not thrown. */
export const dueCommit = (committer: StagingCommitter) => async (stagingId: string, asked: Asked): Promise<'done' | 'later'> => {
  try {
    const committed = await committer.commit(stagingId, asked);
    if (committed.ok) return next(committed.data);
    const { kind, code, detail } = committed.rejection;
    // A freeze is no failure. An id of nobody has nothing to commit.
    if (kind === 'frozen') return 'later';
    if (kind === 'missing') return 'done';
    return await failed(committer, stagingId, `${code}: ${detail}`, asked);
  } catch (error) {
    return failed(committer, stagingId, String(error), asked);
  }
};

const failed = async (committer: StagingCommitter, stagingId: string, error: string, asked: Asked): Promise<'done' | 'later'> => {
  const recorded = await committer.recordFailure(stagingId, error.slice(0, 2_000), asked);
  return recorded.ok ? next(recorded.data) : 'later';
};

const next = (state: Attempted): 'done' | 'later' => (state.status === 'staged' && state.dueAt !== null ? 'later' : 'done');
