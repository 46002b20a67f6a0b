import { FORGOTTEN, FORGOTTEN_TEXT } from '@app/kernel';
import type { RunEvent } from './run.events';

type EventData<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>['data'];

/** What a reviewer told the agent about a call that waits. */
export type Answer = { readonly by: string; readonly text: string };

/** `argumentsHash` is that of what the agent asked for, whatever a reviewer approved instead. */
export type CallKey = { readonly callId: string; readonly tool: string; readonly argumentsHash: string; readonly actionDigest?: string };

/**
 * A call whose answer may still change. `authorised` without an outcome means that its handler is running, that its agent is to run it, or
 * that its worker was lost; `indeterminate`, that nobody can tell whether it ran until a person says so. `at` is the version of its event.
 */
export type OpenCall = CallKey & (
  | { readonly status: 'authorised'; readonly at: number; readonly asked: EventData<'ToolCallAuthorised'> }
  | { readonly status: 'indeterminate'; readonly at: number; readonly asked: EventData<'ToolCallAuthorised'>; readonly question: EventData<'ToolCallIndeterminate'> }
  | { readonly status: 'parked'; readonly asked: EventData<'ToolCallParked'>; readonly lastError?: string; readonly answers?: readonly Answer[] }
  | { readonly status: 'deferred'; readonly deferral: EventData<'ToolCallDeferred'> }
);

/** A call with a final answer, in full. */
export type ClosedCall = CallKey & (
  | { readonly status: 'staged'; readonly asked: EventData<'ToolCallStaged'> }
  | { readonly status: 'denied'; readonly denial: EventData<'ToolCallDenied'> }
  | { readonly status: 'executed'; readonly asked: EventData<'ToolCallAuthorised'>; readonly result: unknown }
  | { readonly status: 'failed'; readonly asked: EventData<'ToolCallAuthorised'>; readonly reason: string; readonly error: string }
);

/** One tool call of a run. */
export type Call = OpenCall | ClosedCall;

/**
 * What a run remembers of a call with a final answer: enough to recognise a repeat and to find the record, which are the events of these
 * versions of the run's stream. A run of ten thousand calls would hold all their arguments and results otherwise.
 */
export type SettledCall = CallKey & {
  readonly status: ClosedCall['status'];
  readonly at: number;
  readonly outcomeAt?: number;
  readonly approvalId?: string;
  readonly reason?: string;
  readonly rule?: string;
};

/** Settled calls lie in blocks, so that one more costs the copy of a block and not of all that went before. */
export type Calls = { readonly open: Readonly<Record<string, OpenCall>>; readonly settled: readonly Readonly<Record<string, SettledCall>>[] };

export const NO_CALLS: Calls = { open: {}, settled: [] };

/** At 64 a run of 10 000 calls has 157 blocks: both the copy of the last one and the look through all stay in the order of 10 µs. */
const BLOCK = 64;

export const callIn = ({ open, settled }: Calls, callId: string): OpenCall | SettledCall | undefined => {
  if (Object.hasOwn(open, callId)) return open[callId];
  for (let nr = settled.length - 1; nr >= 0; nr--) if (Object.hasOwn(settled[nr]!, callId)) return settled[nr]![callId];
  return undefined;
};

/** A reviewer may have changed the arguments of a call that waited; for its agent it is still the call that was asked for. */
const hashAsAsked = (before: OpenCall | undefined, { argumentsHash }: CallKey) => (before?.status === 'parked' ? before.argumentsHash : argumentsHash);

export const withOpen = ({ open, settled }: Calls, call: OpenCall): Calls => {
  const before = Object.hasOwn(open, call.callId) ? open[call.callId] : undefined;
  return { open: { ...open, [call.callId]: { ...call, argumentsHash: hashAsAsked(before, call) } }, settled };
};

export const withSettled = ({ open, settled }: Calls, call: SettledCall): Calls => {
  const { [call.callId]: before, ...others } = open;
  const asAsked = { ...call, argumentsHash: hashAsAsked(before, call) };
  const last = settled.at(-1);
  const grown = last !== undefined && Object.keys(last).length < BLOCK ? [...settled.slice(0, -1), { ...last, [call.callId]: asAsked }] : [...settled, { [call.callId]: asAsked }];
  return { open: others, settled: grown };
};

const forgottenInputs = <Asked extends Pick<EventData<'ToolCallDeferred'>, 'arguments' | 'inputs'>>(asked: Asked): Asked => ({ ...asked, arguments: FORGOTTEN, inputs: { ...asked.inputs, argumentProblems: [] } });

const forgottenOpen = (call: OpenCall): OpenCall => {
  switch (call.status) {
    case 'authorised':
    case 'indeterminate':
      return { ...call, asked: forgottenInputs(call.asked) };
    case 'parked':
      return {
        ...call, asked: forgottenInputs(call.asked), ...(call.lastError !== undefined && { lastError: FORGOTTEN_TEXT }),
        ...(call.answers && { answers: call.answers.map(({ by }) => ({ by, text: FORGOTTEN_TEXT })) }),
      };
    case 'deferred':
      return { ...call, deferral: forgottenInputs(call.deferral) };
  }
};

const forgottenSettled = (call: SettledCall): SettledCall => (call.status === 'failed' && call.reason !== undefined ? { ...call, reason: FORGOTTEN_TEXT } : call);

const each = <T>(calls: Readonly<Record<string, T>>, map: (call: T) => T) => Object.fromEntries(Object.entries(calls).map(([callId, call]) => [callId, map(call)]));

/** The calls of a run without anything that was said in them. */
export const forgottenCalls = ({ open, settled }: Calls): Calls => ({ open: each(open, forgottenOpen), settled: settled.map((block) => each(block, forgottenSettled)) });

type Told = readonly RunEvent[];
const last = <T extends RunEvent['type']>(events: Told, type: T, callId: string): EventData<T> | undefined =>
  events.findLast((event) => event.type === type && 'callId' in event.data && event.data.callId === callId)?.data as EventData<T> | undefined;

/** The whole record of a settled call, put together from events of its run; undefined when one that it takes is not among them. */
export const recordOf = ({ status, outcomeAt: _to, at: _from, approvalId: _approval, reason: _reason, rule: _rule, ...key }: SettledCall, events: Told): ClosedCall | undefined => {
  const { callId } = key;
  if (status === 'denied') {
    const denial = last(events, 'ToolCallDenied', callId);
    return denial && { ...key, status, denial };
  }
  if (status === 'staged') {
    const asked = last(events, 'ToolCallStaged', callId);
    return asked && { ...key, status, asked };
  }
  const asked = last(events, 'ToolCallAuthorised', callId);
  if (!asked) return undefined;
  const ruling = last(events, 'IndeterminateResolved', callId);
  if (status === 'executed') {
    const outcome = last(events, 'ToolCallSucceeded', callId) ?? (ruling?.answer === 'happened' ? { result: ruling.result ?? null } : undefined);
    return outcome && { ...key, status, asked, result: outcome.result };
  }
  const outcome = last(events, 'ToolCallFailed', callId) ?? (ruling?.answer === 'failed' ? { reason: 'indeterminate', error: ruling.reason ?? 'A person ruled that the call failed' } : undefined);
  return outcome && { ...key, status, asked, reason: outcome.reason, error: outcome.error };
};
