import type { LogEvent } from '@app/sdk';
import type { Cell } from './table';

type Known = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Known => typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
const shortened = (value: string, length = 60): string => (value.length > length ? `${value.slice(0, length - 1)}…` : value);

/** What a call is about, in a few words: its collection and the item's id or SKU. */
const targetOf = (args: unknown): string => {
  if (!isRecord(args)) return '';
  const data = isRecord(args['data']) ? args['data'] : {};
  return [args['collection'], args['id'], data['sku'] ?? data['title']].map(text).filter(Boolean).join(' ');
};

const milliseconds = (value: unknown): string => (typeof value === 'number' ? `${Math.round(value)} ms` : '');

/** What came out of an event, from the few members that say it. */
const outcomeOf = ({ type, data }: LogEvent): string => {
  switch (type) {
    case 'ToolCallSucceeded':
      return `executed ${milliseconds(data['runtimeMs'])}`;
    case 'ToolCallParked':
    case 'ApprovalRequested':
      return `waits for ${text(data['approvalId'])}`;
    case 'ToolCallAuthorised':
      return data['approvalId'] === undefined ? `L${text(data['autonomy'])}` : `by ${text(data['approvalId'])}`;
    case 'RunStarted':
      return text(data['agentName']);
    default:
      return ['reason', 'error', 'decision', 'stopReason']
        .map((name) => text(data[name]))
        .filter(Boolean)
        .join(': ');
  }
};

/** One row per event: time since the first one, position, type, tool, target, outcome. */
export const timeline = (events: readonly LogEvent[]): readonly (readonly Cell[])[] => {
  const start = Date.parse(events[0]?.occurredAt ?? '');
  const calls = new Map<unknown, { tool: string; target: string }>();
  return events.map((event) => {
    const { data } = event;
    const callId = data['callId'];
    if (typeof data['tool'] === 'string')
      calls.set(callId, { tool: data['tool'], target: targetOf(data['arguments']) || (calls.get(callId)?.target ?? '') });
    const call = callId === undefined ? undefined : calls.get(callId);
    const offset = ((Date.parse(event.occurredAt) - start) / 1000).toFixed(3);
    return [
      `+${offset.padStart(7)} s`,
      `#${event.position}`,
      event.type,
      call?.tool,
      shortened(call?.target ?? ''),
      shortened(outcomeOf(event).trim(), 80),
    ];
  });
};
