/** A start that cannot succeed for a reason the operator can mend; the message says which, and what to do. */
export class StartRefused extends Error {}
