import type { EventRow } from './event-row';
import type { Ledger } from './ledger';

type Told = { readonly tool: string; authorised: number; settled: string | undefined; lost: string | undefined; mayRunAgain: number; reached: boolean; outcomes: number };

const REPEATABLE = new Set(['put', 'lookUp']);
const OUTSIDE = new Set(['send', ...REPEATABLE]);
const PARALLEL = 3;

/**
 * What the outside server counted against what the log says. A call may arrive again only when its tool says that this does no harm, or after
 * a person said that it did not happen, or when what was approved had failed and was approved anew.
 */
export const callsRanOnce = (rows: readonly EventRow[], received: ReadonlyMap<string, number>, ledger: Ledger): { readonly violations: string[]; readonly calls: number; readonly indeterminate: number } => {
  const violations: string[] = [];
  const calls = new Map<string, Told>();
  let indeterminate = 0;
  for (const { position, stream_id: stream, type, data } of rows) {
    if (!stream.startsWith('run-') || typeof data.callId !== 'string') continue;
    const key = `${stream.slice(4)}/${data.callId}`;
    if (type === 'ToolCallAuthorised') {
      const before = calls.get(key);
      if (before?.settled) violations.push(`${key} was ${before.settled} and is authorised again at ${position}`);
      calls.set(key, before ?? { tool: data.tool as string, authorised: 0, settled: undefined, lost: undefined, mayRunAgain: 0, reached: false, outcomes: 0 });
      calls.get(key)!.authorised++;
      calls.get(key)!.lost = undefined;
      continue;
    }
    const call = calls.get(key);
    if (!call) continue;
    if (type === 'ToolCallIndeterminate') {
      indeterminate++;
      call.lost = position;
    } else if (type === 'IndeterminateResolved') {
      call.lost = undefined;
      if (data.answer === 'not_happened') call.mayRunAgain++;
      else call.settled = `resolved at ${position}`;
    } else if (type === 'ToolCallSucceeded' || type === 'ToolCallFailed') {
      if (call.lost) violations.push(`${key} was indeterminate at ${call.lost} and is ${type} at ${position} without anybody's word`);
      if (call.settled) violations.push(`${key} was ${call.settled} and is ${type} at ${position}`);
      if (type === 'ToolCallFailed' && data.approvalId) call.mayRunAgain++;
      else {
        call.settled = `${type} at ${position}`;
        call.outcomes++;
      }
      if (type === 'ToolCallSucceeded') call.reached = true;
    }
  }
  for (const [key, call] of calls) {
    const count = received.get(key) ?? 0;
    if (call.outcomes > 1) violations.push(`${key} has ${call.outcomes} outcomes`);
    if (!OUTSIDE.has(call.tool)) continue;
    if (call.reached && count === 0) violations.push(`${key} succeeded, and ${call.tool} never got it`);
    if (!REPEATABLE.has(call.tool) && count > 1 + call.mayRunAgain) violations.push(`${key} arrived ${count} times at ${call.tool}, allowed were ${1 + call.mayRunAgain}`);
    if (REPEATABLE.has(call.tool) && count > call.authorised * PARALLEL) violations.push(`${key} arrived ${count} times for ${call.authorised} authorisations`);
  }
  for (const key of received.keys()) if (!calls.has(key)) violations.push(`${key} arrived without an authorisation in the log`);
  for (const [key, said] of ledger.outcomes) if (said.size > 1) violations.push(`${key} was said to be ${[...said].join(' and ')}`);
  return { violations, calls: calls.size, indeterminate };
};

/** Calls that somebody may run just now, as the log tells it. */
export const callsWithoutOutcome = (rows: readonly EventRow[]): string[] => {
  const open = new Set<string>();
  for (const { stream_id: stream, type, data } of rows) {
    const key = `${stream.slice(4)}/${data.callId as string}`;
    if (type === 'ToolCallAuthorised') open.add(key);
    // A call of a lost worker is decided again: then the door may refuse it or ask about it.
    else if (/^ToolCall(Succeeded|Failed|Indeterminate|Denied|Parked|Deferred)$/.test(type)) open.delete(key);
  }
  return [...open];
};
