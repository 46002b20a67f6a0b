import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Outcome } from '@app/kernel';
import { ItemPages } from '../item-list/item-pages';
import type { ItemView } from '../item-list/item.view';
import { ExportItems } from './export-items.query';

const PAGE = 200;

@QueryHandler(ExportItems)
export class ExportItemsHandler implements IQueryHandler<ExportItems> {
  constructor(private readonly pages: ItemPages) {}

  async execute({ input: { collection, where }, context: { siteId }, minPosition }: ExportItems): Promise<Outcome<AsyncIterable<ItemView>>> {
    const pageAt = (cursor: string | undefined) => this.pages.page(siteId, { collection, where: [...where], sort: 'id', limit: PAGE, cursor }, cursor === undefined ? minPosition : undefined);
    // The first page is read before anything is answered: a name or a filter that is wrong is refused as on every other route.
    const first = await pageAt(undefined);
    return first.ok ? { ok: true, data: itemsFrom(first.data, pageAt), position: first.position } : first;
  }
}

type Page = { readonly rows: readonly ItemView[]; readonly nextCursor: string | null };

async function* itemsFrom(first: Page, pageAt: (cursor: string) => Promise<Outcome<Page>>): AsyncGenerator<ItemView, void, undefined> {
  for (let page = first; ; ) {
    yield* page.rows;
    if (page.nextCursor === null) return;
    const next = await pageAt(page.nextCursor);
    if (!next.ok) throw new Error(`${next.rejection.code}: ${next.rejection.detail}`);
    page = next.data;
  }
}
