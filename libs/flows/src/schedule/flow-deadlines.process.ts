import type { Recorded } from '@app/kernel';
import type { FlowEvent } from '../flow.events';

type Change =
  | { readonly set: string; readonly at: string; readonly topic: string }
  | { readonly clear: string };

/** The deadlines of a flow: its schedule, an event that it waits for, and the occurrence under way. Ids hold no colon. */
export const flowOf = (key: string): string => key.split(':')[0]!;
export const ofEvent = (flowId: string): string => `${flowId}:event`;
const ofWork = (flowId: string): string => `${flowId}:work`;

/** What each event sets and clears, so that the rows follow from the log. */
export const flowDeadlines = ({ streamId, type, data }: Recorded<FlowEvent>): readonly Change[] => {
  const flowId = streamId.slice('flow-'.length);
  const schedule = (at: string | null): Change => (at === null ? { clear: flowId } : { set: flowId, at, topic: 'cron' });
  switch (type) {
    case 'FlowDefined':
    case 'FlowChanged':
      return [schedule(data.nextRunAt)];
    case 'FlowStarted':
      return [schedule(data.nextRunAt), { set: ofWork(flowId), at: data.at, topic: 'work' }];
    case 'FlowRan':
      return [{ clear: ofWork(flowId) }];
    case 'FlowDeleted':
      return [{ clear: flowId }, { clear: ofEvent(flowId) }];
  }
};
