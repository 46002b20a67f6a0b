import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Pool } from 'pg';
import { ChainBroken, CheckpointSigner, latestCheckpoints, toCheckpointJson } from '@app/event-store';
import { reject, type Outcome } from '@app/kernel';
import type { CheckpointView } from './checkpoint.view';
import { SignCheckpoint } from './sign-checkpoint.command';

@CommandHandler(SignCheckpoint)
export class SignCheckpointHandler implements ICommandHandler<SignCheckpoint> {
  constructor(
    private readonly pool: Pool,
    private readonly signer: CheckpointSigner,
  ) {}

  async execute(): Promise<Outcome<CheckpointView>> {
    try {
      await this.signer.sign();
    } catch (error) {
      if (!(error instanceof ChainBroken)) throw error;
      return reject('unavailable', 'UNAVAILABLE', 'The chain is broken, so its head is not signed; see GET /api/v1/audit/verify.');
    }
    const [latest] = await latestCheckpoints(this.pool, 1);
    if (!latest) return reject('unavailable', 'UNAVAILABLE', 'The log is empty; there is nothing to sign.');
    return { ok: true, data: toCheckpointJson(latest), position: latest.position };
  }
}
