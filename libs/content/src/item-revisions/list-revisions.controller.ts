import { Controller, Get, Param, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiList, Caller, ListQuery, MinPosition, RequireCapability } from '@app/http';
import type { z } from 'zod';
import { listedAnswer } from '../listed-answer';
import { ItemRevisionView } from './item-revision.view';
import { ListRevisions } from './list-revisions.query';

const RevisionsQuery = ListQuery.omit({ sort: true });

@Controller('items')
export class ListRevisionsController {
  constructor(private readonly bus: Bus) {}

  @Get(':collection/:id/revisions')
  @RequireCapability('items:read')
  @ApiList(ItemRevisionView, { description: 'One page of changes, newest first; those of a deleted item too' })
  async get(
    @Param('collection') collection: string,
    @Param('id') id: string,
    @Query({ schema: RevisionsQuery }) { limit, cursor }: z.infer<typeof RevisionsQuery>,
    @MinPosition() minPosition: bigint | undefined,
    @Caller() { siteId }: Caller,
  ) {
    return listedAnswer(await this.bus.ask(new ListRevisions({ collection, id, limit, cursor }, { siteId }, minPosition)));
  }
}
