import type { Page } from './transport';

/** Every row of a list, page by page, as the caller goes on. */
export async function* everyRow<T>(page: (cursor: string | undefined) => Promise<Page<T>>): AsyncGenerator<T> {
  for (let cursor: string | undefined; ;) {
    const { data, nextCursor } = await page(cursor);
    yield* data;
    if (nextCursor === null || nextCursor === undefined || nextCursor === '') return;
    cursor = nextCursor;
  }
}

/** What every list takes. `limit` is at most 200. */
export type ListQuery = { readonly limit?: number | undefined; readonly cursor?: string | undefined };
