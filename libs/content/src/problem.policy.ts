/** One thing that is wrong with a request: where, as a JSON pointer into its body, and what. The same form as the HTTP edge sends. */
export type Problem = { readonly pointer: string; readonly detail: string };

/** One reference token of a JSON pointer (RFC 6901). */
export const token = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
