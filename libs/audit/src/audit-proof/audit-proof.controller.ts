import { Controller, Get, Param, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, MinPosition, orProblem, ReadQuery, RequireCapability } from '@app/http';
import type { z } from 'zod';
import { GetProof } from './get-proof.query';
import { ProofView } from './proof.view';

@Controller('audit/proof')
export class AuditProofController {
  constructor(private readonly bus: Bus) {}

  @Get(':eventId')
  @RequireCapability('audit:read')
  @ApiAnswer(ProofView, { description: 'The inclusion proof of an event' })
  async get(
    @Param('eventId') eventId: string,
    @Query({ schema: ReadQuery }) _query: z.infer<typeof ReadQuery>,
    @MinPosition() minPosition: bigint | undefined,
    @Caller() { siteId }: Caller,
  ) {
    return orProblem(await this.bus.ask(new GetProof(eventId, { siteId }, minPosition)));
  }
}
