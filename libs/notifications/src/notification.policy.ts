import type { ApprovalEvent } from '@app/approvals/contract';
import type { DeskEvent } from '@app/desk/contract';
import type { GoalEvent } from '@app/goals/contract';
import { idOf, type Recorded } from '@app/kernel';
import type { RunEvent } from '@app/runs/contract';
import type { StagingEvent } from '@app/staging/contract';
import type { IncidentEvent } from '@app/trust/contract';
import type { Notification } from './notification.schema';

/** Every event that may be told of. */
export const HEARD = ['ApprovalRequested', 'ChangeStaged', 'IncidentOpened', 'RunSucceeded', 'RunFailed', 'GoalSettled', 'DeskFileCreated'] as const;
type Told = Extract<ApprovalEvent | StagingEvent | IncidentEvent | RunEvent | GoalEvent | DeskEvent, { type: (typeof HEARD)[number] }>;

type Words = Omit<Notification, 'siteId' | 'at' | 'deadline' | 'runId'> & Partial<Pick<Notification, 'deadline' | 'runId'>>;

/** What is told of an event, or null when it is no news: a question that a staged change asks by itself, and incidents below `medium` (ruling on `incident`). */
export const notificationOf = (event: Recorded): Notification | null => {
  const words = wordsOf(event as Recorded<Told>);
  return words && { runId: null, deadline: null, ...words, siteId: event.siteId, at: event.occurredAt };
};

const wordsOf = ({ streamId, type, data, metadata }: Recorded<Told>): Words | null => {
  switch (type) {
    case 'ApprovalRequested': {
      const { approvalId, kind, tool, agentRole, runId, expiresAt } = data;
      if (kind === 'veto') return null;
      return { id: approvalId, kind: 'approval', title: `Approval needed: ${tool ?? kind.replace('_', ' ')}`, text: `Asked by ${agentRole ?? 'an agent'}, open until ${expiresAt}.`, runId };
    }
    case 'ChangeStaged': {
      const { stagingId, collection, tool, agentName, runId, autoCommitAt } = data;
      return {
        id: stagingId, kind: 'veto', title: `A change of ${collection} takes effect unless it is vetoed`, text: `${tool} by ${agentName}, committed at ${autoCommitAt}.`, runId, deadline: autoCommitAt,
      };
    }
    case 'IncidentOpened': {
      const { incidentId, severity, source, agentRole, runId, demoted } = data;
      if (severity === 'low') return null;
      const fell = demoted.map(({ agentRole: role, capability, from, to }) => ` ${role} fell from level ${from} to ${to} for ${capability}.`).join('');
      return { id: incidentId, kind: 'incident', title: `Incident of severity ${severity}: ${source.replace('_', ' ')}`, text: `${agentRole === null ? 'It concerns no role.' : `It concerns the role ${agentRole}.`}${fell}`, runId };
    }
    case 'RunSucceeded':
    case 'RunFailed': {
      const runId = idOf(streamId);
      const why = type === 'RunFailed' ? ` (${data.stopReason ?? 'reported by its agent'})` : '';
      return { id: runId, kind: 'run', title: type === 'RunFailed' ? 'A run failed' : 'A run succeeded', text: `Run ${runId}${why}.`, runId };
    }
    case 'GoalSettled': {
      const goalId = idOf(streamId);
      return { id: goalId, kind: 'goal', title: `A goal with parts is ${data.status}`, text: `Goal ${goalId}.`, runId: metadata.runId ?? null };
    }
    case 'DeskFileCreated':
      // What a person puts on their own desk is no news to them.
      if (metadata.actor.kind !== 'agent') return null;
      return { id: idOf(streamId), kind: 'desk', title: 'An agent put a file on a desk', text: `A ${data.type} file by ${metadata.actor.role ?? 'an agent'}.`, runId: metadata.runId ?? null };
  }
};
