import { Controller, Get, Param, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiList, Caller, ListQuery, MinPosition, RequireCapability } from '@app/http';
import { z } from 'zod';
import { listedAnswer } from '../listed-answer';
import { conditionsOf } from './filter-text';
import { ItemView } from './item.view';
import { ListItems, ListItemsInput } from './list-items.query';

const ItemsQuery = ListQuery.extend({
  sort: ListItemsInput.shape.sort,
  filter: z.string().max(8_000).describe('A JSON object: {"status":"open","price":{"gte":5}}').optional(),
});

@Controller('items')
export class ListItemsController {
  constructor(private readonly bus: Bus) {}

  @Get(':collection')
  @RequireCapability('items:read')
  @ApiList(ItemView, { description: 'One page of live items' })
  async get(
    @Param('collection') collection: string,
    @Query({ schema: ItemsQuery }) { filter, sort, limit, cursor }: z.infer<typeof ItemsQuery>,
    @MinPosition() minPosition: bigint | undefined,
    @Caller() { siteId }: Caller,
  ) {
    const input = { collection, where: [...conditionsOf(filter)], sort, limit, cursor };
    return listedAnswer(await this.bus.ask(new ListItems(input, { siteId }, minPosition)));
  }
}
