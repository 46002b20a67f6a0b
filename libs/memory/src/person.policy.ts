import type { Actor } from '@app/kernel';
import type { Person } from './memory.schema';

/** Who did it, as it is recorded. */
export const personOfActor = ({ kind, id, role, userId }: Actor): Person => ({ kind, id, ...(role !== undefined && { role }), ...(userId !== undefined && { userId }) });
