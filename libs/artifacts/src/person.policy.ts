import type { Actor } from '@app/kernel';

/** Who did it, as it is recorded. */
export const personOfActor = ({ kind, id, role, userId }: Actor) => ({ kind, id, ...(role !== undefined && { role }), ...(userId !== undefined && { userId }) });
