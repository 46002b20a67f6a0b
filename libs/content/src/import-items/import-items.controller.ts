import { Controller, Headers, Param, Post, Req, UseGuards } from '@nestjs/common';
import { ApiAnswer, Caller, NDJSON, orProblem, ProblemException, RequireCapability, TakesLines } from '@app/http';
import { reject } from '@app/kernel';
import type { FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { PeopleAndServicesGuard } from '../people-and-services.guard';
import { withLinesOf } from './bounded-body';
import { ImportedItems } from './imported-items.view';
import { ItemImport } from './item-import';

@Controller('items')
@UseGuards(PeopleAndServicesGuard)
export class ImportItemsController {
  constructor(private readonly imports: ItemImport) {}

  /** Items from JSON lines, packed with gzip or not, 64 MiB unpacked at most. Nothing is written unless every line fits the collection. */
  @Post(':collection/import')
  @RequireCapability('items:write')
  @TakesLines('One item a line: `{"data": {…}}`, or a line of an export')
  @ApiAnswer(ImportedItems, { status: 201, description: 'How many items were created' })
  async post(@Param('collection') collection: string, @Headers('content-encoding') encoding: string | undefined, @Req() { body }: FastifyRequest, @Caller() caller: Caller) {
    const context = caller.context();
    const found = await this.imports.find(collection, context);
    if (!found.ok) return orProblem(found);
    if (!(body instanceof Readable)) throw new ProblemException(415, 'VALIDATION_FAILED', `Send the items as ${NDJSON}, one a line.`, { kept: false });
    const done = await withLinesOf(body, encoding, (lines) => this.imports.run(found.state, lines, context));
    return orProblem(done.ok && done.data.created === 0 ? reject('invalid', 'VALIDATION_FAILED', 'The import holds no item.') : done);
  }
}
