/** Everything a memory was ever sealed under begins like this. */
export const subjectsOf = (memoryId: string) => `mem:${memoryId}/`;
/** A key for each revision, so that a redaction takes the text before it away for good. The border at the end tells 1 from 10. */
export const subjectOf = (memoryId: string, revision: number) => `${subjectsOf(memoryId)}${revision}/`;
/** Of all revisions before this one. */
export const subjectsBefore = (memoryId: string, revision: number): readonly string[] => Array.from({ length: revision - 1 }, (_, nr) => subjectOf(memoryId, nr + 1));
