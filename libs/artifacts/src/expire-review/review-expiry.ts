import { approval, expireApproval } from '@app/approvals/contract';
import type { Executor } from '@app/event-store';
import { accept, type Context, type Rejected } from '@app/kernel';
import { artifact, currentOf } from '../artifact.state';
import { personOfActor } from '../person.policy';

/** No artifact has this id, so its stream is empty. */
const NO_ARTIFACT = 'none';

/** What a timer calls when nobody decided about an artifact in time: the question ends unapproved and the artifact is a draft again. */
export const reviewExpiry =
  (executor: Executor) =>
  async (approvalId: string, context: Context): Promise<'done' | Rejected> => {
    const { state } = await executor.current(approval, approvalId);
    const artifactId = state.status === 'none' ? undefined : state.request.arguments['artifactId'];
    const refs = { artifact: { aggregate: artifact, id: typeof artifactId === 'string' ? artifactId : NO_ARTIFACT }, approval: { aggregate: approval, id: approvalId } };
    const done = await executor.execute(refs, context, (states) => {
      const expired = expireApproval(states.approval, context.now);
      if (!expired.ok || expired.events.length === 0) return accept({});
      const waits = states.artifact.status === 'in_review' && states.artifact.approvalId === approvalId ? currentOf(states.artifact).version : undefined;
      const returned = { approvalId, reason: 'Nobody decided in time', by: personOfActor(context.actor), at: context.now.toISOString() };
      return accept({ approval: expired.events, artifact: waits === undefined ? [] : [{ type: 'ArtifactReturned' as const, data: { version: waits, ...returned } }] });
    });
    return done.ok ? 'done' : done;
  };
