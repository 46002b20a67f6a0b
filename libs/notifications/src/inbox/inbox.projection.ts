import { idOf, type Recorded } from '@app/kernel';
import type { ApprovalEvent } from '@app/approvals/contract';
import type { DeskEvent } from '@app/desk/contract';
import type { GoalEvent } from '@app/goals/contract';
import type { RunEvent } from '@app/runs/contract';
import type { StagingEvent } from '@app/staging/contract';
import type { IncidentEvent } from '@app/trust/contract';
import { projection } from '@app/projections/contract';
import { notificationOf } from '../notification.policy';
import type { Notification } from '../notification.schema';

/** `kind` is null for a goal that has parts and has not ended: nothing is told of it yet. */
export type InboxRow = { readonly id: string; readonly siteId: string; readonly kind: Notification['kind'] | null; readonly at: string; readonly notification: Notification };
type Heard = ApprovalEvent | StagingEvent | IncidentEvent | RunEvent | GoalEvent | DeskEvent;

const rowOf = (event: Recorded): InboxRow | null => {
  const notification = notificationOf(event);
  return notification && { id: notification.id, siteId: event.siteId, kind: notification.kind, at: notification.at, notification };
};
const told = (row: InboxRow | null, event: unknown): InboxRow | null => rowOf(event as Recorded) ?? row;

/** Everything that happened and may concern people, whether or not anything was sent: what cron jobs and the reconciler did, too. */
export const inbox = projection<InboxRow, Heard>({
  name: 'notifications',
  version: 1,
  columns: { kind: 'text', at: 'text', notification: 'jsonb' },
  on: {
    ApprovalRequested: told, ChangeStaged: told, IncidentOpened: told, RunSucceeded: told, RunFailed: told, DeskFileCreated: told,
    GoalDecomposed: (row, event) => {
      const { streamId, siteId, occurredAt: at } = event as unknown as Recorded;
      const id = idOf(streamId);
      return row ?? { id, siteId, kind: null, at, notification: { id, siteId, kind: 'goal', title: '', text: '', runId: null, deadline: null, at } };
    },
    GoalSettled: (row, event) => row && told(row, event),
  },
});
