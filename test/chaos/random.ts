/** Chance that a seed repeats: what a round does is the same for the same seed; what the machine makes of it is not. */
export type Random = {
  /** From 0 up to but without `below`. */
  below(below: number): number;
  chance(part: number): boolean;
  of<T>(list: readonly T[]): T;
  /** Weights need not sum up to anything. */
  weighted<T>(weights: readonly (readonly [T, number])[]): T;
  /** Another source, so that clients do not disturb each other's choices. */
  fork(): Random;
};

/** mulberry32: 32 bits of state are plenty for choosing victims. */
export const randomOf = (seed: number): Random => {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const random: Random = {
    below: (below) => Math.floor(next() * below),
    chance: (part) => next() < part,
    of: (list) => list[Math.floor(next() * list.length)]!,
    weighted: (weights) => {
      let left = next() * weights.reduce((sum, [, weight]) => sum + weight, 0);
      return (weights.find(([, weight]) => (left -= weight) < 0) ?? weights.at(-1)!)[0];
    },
    fork: () => randomOf(Math.floor(next() * 4_294_967_296)),
  };
  return random;
};
