/** Why a goal ended, as its runs and the goals below it say. */
export const subjectOfGoal = (goalId: string) => `goal:${goalId}`;

/** What can be forgotten, by its id; the form with a colon is that of the keys. */
const SUBJECT = /^(?:run:|mem:)?((run|mem)_[0-9a-f]{32})$/;

export type Subject = { readonly kind: 'run' | 'mem'; readonly id: string };

export const subjectIn = (text: string): Subject | undefined => {
  const [, id, kind] = SUBJECT.exec(text) ?? [];
  return id === undefined || !(text === id || text.startsWith(`${kind}:`)) ? undefined : { kind: kind as Subject['kind'], id };
};
