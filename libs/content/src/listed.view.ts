/** One page of a list; `nextCursor` is null on the last page. */
export type Listed<Item> = { readonly rows: readonly Item[]; readonly nextCursor: string | null };
