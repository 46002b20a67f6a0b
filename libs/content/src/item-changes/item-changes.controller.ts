import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiEventStream, Caller, Draining, orProblem, RequireCapability, sse, type ServerSentEvent } from '@app/http';
import type { FastifyReply } from 'fastify';
import { CollectionReader } from '../collection-reader';
import { CollectionChanges } from './collection-changes';

@Controller('items')
export class ItemChangesController {
  constructor(
    private readonly changes: CollectionChanges,
    private readonly collections: CollectionReader,
    private readonly draining: Draining,
  ) {}

  /** The first event says where the items are now: whoever has read an older position reads again. */
  @Get(':collection/changes')
  @RequireCapability('items:read')
  @ApiEventStream('`refresh {collection, changes}` whenever items of the collection have changed and can be read; the id is the position')
  async stream(@Param('collection') collection: string, @Caller() { siteId }: Caller, @Res() reply: FastifyReply) {
    const found = await this.collections.find(siteId, collection);
    if (!found.ok) return orProblem(found);
    return sse(reply, (signal) => this.events(siteId, collection, signal), { signal: this.draining.signal });
  }

  private async *events(siteId: string, collection: string, signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
    for await (const { changes, position } of this.changes.of({ siteId, collection }, signal)) yield { id: String(position), event: 'refresh', data: { collection, changes } };
  }
}
