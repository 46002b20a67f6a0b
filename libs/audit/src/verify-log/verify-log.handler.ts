import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Pool } from 'pg';
import { CheckpointFile, SigningKey, verifyChain, type ChainVerdict } from '@app/event-store';
import { Latest } from './latest';
import { VerifyLog, type LogVerdict, type VerifyStep } from './verify-log.query';

type Progress = { readonly verified: bigint; readonly total: bigint };

@QueryHandler(VerifyLog)
export class VerifyLogHandler implements IQueryHandler<VerifyLog> {
  /** One verification at a time: each takes a core, and the requests of everybody else need one too. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly pool: Pool,
    private readonly file: CheckpointFile,
    private readonly key: SigningKey,
  ) {}

  execute({ signal, after = 0n }: VerifyLog): Promise<AsyncIterable<VerifyStep>> {
    return Promise.resolve(this.steps(after, signal));
  }

  private async *steps(after: bigint, signal: AbortSignal): AsyncGenerator<VerifyStep, void, undefined> {
    const progress = new Latest<Progress>();
    const verdict = this.inTurn(() => this.verify(after, signal, (value) => progress.put(value))).finally(() => progress.end());
    // A failure is thrown by the await below, once everything before it was handed out.
    verdict.catch(() => undefined);
    for await (const { verified, total } of progress.values()) yield { step: 'progress', data: { verified: String(verified), total: String(total) } };
    yield { step: 'verdict', data: viewOf(await verdict) };
  }

  private async verify(after: bigint, signal: AbortSignal, onProgress: (progress: Progress) => void): Promise<ChainVerdict> {
    signal.throwIfAborted();
    return verifyChain(this.pool, { after, checkpoints: await this.file.read(), publicKeys: [this.key.publicKeyPem], signal, onProgress });
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.turn.then(work);
    this.turn = mine.catch(() => undefined);
    return mine;
  }
}

const viewOf = (verdict: ChainVerdict): LogVerdict => {
  if (!verdict.ok) return { ...verdict, position: String(verdict.position) };
  const { events, batches, head, signedUpTo } = verdict;
  return { ...verdict, events: String(events), batches: String(batches), head: String(head), signedUpTo: signedUpTo === null ? null : String(signedUpTo) };
};
