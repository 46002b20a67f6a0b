/** A handler rejects with this when nobody can tell whether the call happened: a person is asked then, and nothing is guessed. */
export class OutcomeUnknown extends Error {}
