/** Two lists without repetition hold the same, in whatever order. */
export const sameSet = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((one) => b.includes(one));
