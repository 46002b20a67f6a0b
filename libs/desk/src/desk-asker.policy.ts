import { personId, type Principal } from '@app/kernel';

/** A person at their own desk, or an agent on a run: then it is the desk of the person whose key opened the run. */
export type DeskAsker = { readonly ownerId: string } | { readonly runId: string };

export const personAtDesk = (principal: Principal): DeskAsker => ({ ownerId: personId(principal) });
