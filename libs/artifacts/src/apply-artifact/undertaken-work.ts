import { Injectable } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { Executor } from '@app/event-store';
import { missing, reject, type Outcome } from '@app/kernel';
import { artifact } from '../artifact.state';
import { artifactView, type ArtifactView } from '../artifact-list/artifact.view';
import { ArtifactWorker } from './artifact-worker';
import { SiteContent } from './site-content';

/** How long a request waits for the work it has begun; what takes longer goes on by itself. */
const WITHIN_MS = 20_000;

/** Carries out, inside a request, what the log says is to be done about an artifact. */
@Injectable()
export class UndertakenWork {
  readonly worker: ArtifactWorker;

  constructor(
    private readonly executor: Executor,
    bus: Bus,
    content: SiteContent,
  ) {
    this.worker = new ArtifactWorker(executor, bus, content);
  }

  /** The artifact afterwards. A step that did not go through refuses, with what was done and where it can be read. */
  async carryOut(artifactId: string, now: Date): Promise<Outcome<ArtifactView>> {
    await this.worker.drive(artifactId, now, WITHIN_MS);
    const { state, position } = await this.executor.current(artifact, artifactId);
    if (state.status === 'none') return missing();
    const { work } = state;
    if (work?.status !== 'failed') return { ok: true, data: artifactView(state), position };
    const { does, goalId, runId, done, steps, reason } = work;
    const began = does === 'publish' ? 'published' : 'rolled back';
    return reject('conflict', 'CONFLICT', `The artifact could not be ${began}. ${reason ?? 'A step failed'}. What was done before stands; ask again to go on${does === 'publish' ? ', or roll it back' : ''}.`, {
      status: state.status, goalId, runId, done, steps: steps.length, reason,
    });
  }
}
