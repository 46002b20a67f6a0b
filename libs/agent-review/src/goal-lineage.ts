/** The parent of a goal; null for a root, undefined for a goal that nobody knows. */
export type ParentOf = (goalId: string) => Promise<string | null | undefined>;

/** A goal and all its ancestors up to the root; undefined when the way up cannot be followed to its end. */
export const lineageOf = async (goalId: string, parentOf: ParentOf): Promise<readonly string[] | undefined> => {
  const line: string[] = [];
  for (let at: string | null | undefined = goalId; at !== null; at = await parentOf(at)) {
    if (at === undefined || line.includes(at)) return undefined;
    line.push(at);
  }
  return line;
};
