import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { AnswersLines, Caller, MinPosition, NDJSON, ndjson, orProblem, ReadQuery, RequireCapability } from '@app/http';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { conditionsOf } from '../item-list/filter-text';
import { ExportItems } from './export-items.query';

const ExportQuery = ReadQuery.extend({ filter: z.string().max(8_000).describe('A JSON object, as for the list of items').optional() });

@Controller('items')
export class ExportItemsController {
  constructor(private readonly bus: Bus) {}

  /** Every live item, a line each, oldest first. What is written meanwhile may be among them, and nothing is left out that was there before. */
  @Get(':collection/export')
  @RequireCapability('items:read')
  @AnswersLines('One item a line; a failure on the way ends the text with a line that holds the problem')
  async get(
    @Param('collection') collection: string,
    @Query({ schema: ExportQuery }) { filter }: z.infer<typeof ExportQuery>,
    @MinPosition() minPosition: bigint | undefined,
    @Caller() { siteId }: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { data, position } = orProblem(await this.bus.ask(new ExportItems({ collection, where: conditionsOf(filter) }, { siteId }, minPosition)));
    void reply.type(`${NDJSON}; charset=utf-8`).header('x-position', String(position));
    return ndjson(data);
  }
}
