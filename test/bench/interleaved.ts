export type Contestant<R> = { readonly name: string; round(): Promise<R> };

/**
 * A B C A B C …: whatever the machine does meanwhile meets all contestants alike, and each round has a neighbour to be compared with.
 * `between` runs before each full turn, outside of what is measured.
 */
export const interleaved = async <R>(
  contestants: readonly Contestant<R>[],
  rounds: number,
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<ReadonlyMap<string, readonly R[]>> => {
  const results = new Map<string, R[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    await between();
    for (const contestant of contestants) results.get(contestant.name)!.push(await contestant.round());
  }
  return results;
};
