import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Outcome } from '@app/kernel';
import type { Listed } from '../listed.view';
import { ItemPages } from './item-pages';
import type { ItemView } from './item.view';
import { ListItems } from './list-items.query';

@QueryHandler(ListItems)
export class ListItemsHandler implements IQueryHandler<ListItems> {
  constructor(private readonly pages: ItemPages) {}

  execute = ({ input, context: { siteId }, minPosition }: ListItems): Promise<Outcome<Listed<ItemView>>> => this.pages.page(siteId, input, minPosition);
}
