import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Pool } from 'pg';
import { ChainBroken, CheckpointSigner, proofAt } from '@app/event-store';
import { missing, reject, type Outcome } from '@app/kernel';
import { ReadModels } from '@app/projections';
import { auditEvents } from '../audit-events/audit-event.projection';
import { GetProof } from './get-proof.query';
import type { ProofView } from './proof.view';

@QueryHandler(GetProof)
export class GetProofHandler implements IQueryHandler<GetProof> {
  constructor(
    private readonly reads: ReadModels,
    private readonly pool: Pool,
    private readonly signer: CheckpointSigner,
  ) {}

  async execute({ eventId, context: { siteId }, minPosition }: GetProof): Promise<Outcome<ProofView>> {
    if (minPosition !== undefined) await this.reads.reached(auditEvents, minPosition);
    const row = await this.reads.find(auditEvents, siteId, eventId.toLowerCase());
    if (!row) return missing();
    const result = await this.signed(row.at);
    if (!result.ok) return result.reason === 'unknown' ? missing() : unsigned('No checkpoint covers this event yet; ask again in a minute.');
    return { ok: true, data: result.proof, position: row.at };
  }

  /** An event is covered within a minute; who asks earlier does not have to wait. */
  private async signed(position: bigint) {
    const result = await proofAt(this.pool, position);
    if (result.ok || result.reason === 'unknown') return result;
    try {
      await this.signer.sign();
    } catch (error) {
      if (!(error instanceof ChainBroken)) throw error;
      return result;
    }
    return proofAt(this.pool, position);
  }
}

const unsigned = (detail: string) => reject('unavailable', 'UNAVAILABLE', detail);
