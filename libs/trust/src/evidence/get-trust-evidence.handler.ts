import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { evidenceOf, type Evidence } from '../promotion.policy';
import { TrustEvidence } from './evidence';
import { GetTrustEvidence } from './get-trust-evidence.query';

const LONGEST_STREAK = 1_000;

@QueryHandler(GetTrustEvidence)
export class GetTrustEvidenceHandler implements IQueryHandler<GetTrustEvidence> {
  constructor(private readonly evidence: TrustEvidence) {}

  async execute({ siteId, keys, required, openIncidents, minPosition }: GetTrustEvidence): Promise<readonly Evidence[]> {
    if (minPosition !== undefined) await this.evidence.reached(minPosition);
    const found: Evidence[] = [];
    for (const pair of keys) {
      const key = { siteId, ...pair };
      const streak = await this.evidence.streak(key, Math.max(required.streak, LONGEST_STREAK));
      found.push(evidenceOf(streak, await this.evidence.decisions(key), this.evidence.openIncidents(openIncidents, key), required));
    }
    return found;
  }
}
