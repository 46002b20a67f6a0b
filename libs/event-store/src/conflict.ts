import type { AppendFailure } from './event-store';
import type { PreparedCommand } from './prepare';

/** The first written stream, or else the first guard, that does not stand where the command thought; undefined when all of them do. */
export const conflictOf = (
  { writes, guards }: Pick<PreparedCommand, 'writes' | 'guards'>,
  versionOfWrite: (index: number) => number,
  versionOfGuard: (index: number) => number,
): AppendFailure | undefined => {
  const write = writes.findIndex(({ expected }, i) => expected !== 'any' && versionOfWrite(i) !== (expected === 'none' ? 0 : expected));
  if (write >= 0) return { ok: false, kind: 'conflict', streamId: writes[write]!.streamId, expected: writes[write]!.expected, actual: versionOfWrite(write) };
  const guard = guards.findIndex(({ version }, i) => versionOfGuard(i) !== version);
  if (guard < 0) return undefined;
  return { ok: false, kind: 'conflict', streamId: guards[guard]!.streamId, expected: guards[guard]!.version, actual: versionOfGuard(guard) };
};
