import { Controller, Get, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiList, Caller, ListQuery, MinPosition, RequireCapability } from '@app/http';
import type { z } from 'zod';
import { listedAnswer } from '../listed-answer';
import { CollectionView } from './collection.view';
import { ListCollections } from './list-collections.query';

const CollectionsQuery = ListQuery.omit({ sort: true });

@Controller('collections')
export class ListCollectionsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @RequireCapability('schema:read')
  @ApiList(CollectionView, { description: 'One page of collections, by name' })
  async get(
    @Query({ schema: CollectionsQuery }) { limit, cursor }: z.infer<typeof CollectionsQuery>,
    @MinPosition() minPosition: bigint | undefined,
    @Caller() { siteId }: Caller,
  ) {
    return listedAnswer(await this.bus.ask(new ListCollections({ limit, cursor }, { siteId }, minPosition)));
  }
}
