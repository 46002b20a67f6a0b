import type { MemoryScope } from './memory.schema';

/** On whose behalf a memory is looked for. What is null stands for nobody, never for everybody. */
export type Reader = MemoryScope & { readonly siteId: string };
export type Scoped = { readonly siteId: string; readonly scope: MemoryScope };

const admits = (wanted: string | null, given: string | null) => wanted === null || wanted === given;

/** A memory is for a reader of its site who is of its role, works on its goal and is its user, as far as it names them. */
export const isInScope = ({ siteId, scope }: Scoped, reader: Reader): boolean =>
  siteId === reader.siteId && admits(scope.role, reader.role) && admits(scope.goalId, reader.goalId) && admits(scope.userId, reader.userId);

/** At the very instant of its expiry a memory is no longer there. */
export const isExpired = ({ expiresAt }: { readonly expiresAt: string | null }, now: Date): boolean => expiresAt !== null && new Date(expiresAt).getTime() <= now.getTime();
