import { FORGOTTEN } from '@app/kernel';
import { forgottenCalls, type Calls } from './run-calls.state';
import type { RunEvent } from './run.events';

type EventData<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>['data'];
type Spoken = { readonly reason?: string; readonly result?: unknown; readonly task?: EventData<'RunStarted'>['task']; readonly fork?: EventData<'RunForked'>; readonly calls: Calls };

/** A run as it reads from a log that nobody can open any more. */
export const withoutWords = <R extends Spoken>({ reason: _reason, result: _result, task, fork, ...run }: R): Omit<R, 'reason' | 'result'> =>
  ({
    ...run, calls: forgottenCalls(run.calls),
    ...(task && { task: { ...task, arguments: FORGOTTEN } }),
    ...(fork && { fork: { ...fork, ...(fork.overrides && { overrides: FORGOTTEN }) } }),
  }) as Omit<R, 'reason' | 'result'>;
