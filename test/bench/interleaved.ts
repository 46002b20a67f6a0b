export type Contestant<R> = { readonly name: string; round(): Promise<R> };

/** `turns` are the names in the order in which they really played. */
export type Played<R> = { readonly rounds: ReadonlyMap<string, readonly R[]>; readonly turns: readonly string[] };

/**
 * A B C A B C …: whatever the machine does meanwhile meets all contestants alike, and each round has a neighbour to be compared with.
 * `between` runs before each full turn, outside of what is measured.
 */
export const interleaved = async <R>(
  contestants: readonly Contestant<R>[],
  rounds: number,
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<Played<R>> => {
  const results = new Map<string, R[]>(contestants.map(({ name }) => [name, []]));
  const turns: string[] = [];
  for (let round = 0; round < rounds; round++) {
    await between();
    for (const contestant of contestants) {
      results.get(contestant.name)!.push(await contestant.round());
      turns.push(contestant.name);
    }
  }
  return { rounds: results, turns };
};
