export const JSON_TYPE = 'application/json';
export const GRAPHQL_TYPE = 'application/graphql-response+json';

export type MediaType = typeof JSON_TYPE | typeof GRAPHQL_TYPE;

const weightOf = (parameters: readonly string[]): number => {
  const q = parameters.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find((one) => one !== undefined);
  return q === undefined ? 1 : Number(q);
};

/** The type that a client likes best; plain JSON unless it names GraphQL's own, because clients that name nothing are the old ones. */
export const mediaTypeOf = (accept: string | undefined): MediaType => {
  const likes = new Map<string, number>();
  for (const part of (accept ?? '*/*').split(',')) {
    const [type = '', ...parameters] = part.split(';');
    likes.set(type.trim().toLowerCase(), weightOf(parameters));
  }
  const own = likes.get(GRAPHQL_TYPE) ?? 0;
  const plain = likes.get(JSON_TYPE) ?? 0;
  return own > 0 && own >= plain ? GRAPHQL_TYPE : JSON_TYPE;
};
