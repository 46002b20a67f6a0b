import type { GovernanceEvent } from '@app/governance/contract';
import type { LevelChangeView } from '../autonomy-view/grant.view';

type Told = Omit<LevelChangeView, 'position' | 'at' | 'by'>;

/** What one event of the governance stream says about a level; undefined when it says nothing about any. */
export const levelChangeOf = ({ type, data }: GovernanceEvent): Told | undefined => {
  switch (type) {
    case 'AutonomyGranted':
      return { ...keyOf(data), from: data.from, to: data.level, cause: 'granted', causeId: null, expiresAt: data.expiresAt };
    case 'AutonomyPromoted':
      return { ...keyOf(data), from: data.from, to: data.level, cause: 'promoted', causeId: data.promotionId, expiresAt: null };
    case 'AutonomyDemoted':
      return { ...keyOf(data), from: data.from, to: data.level, cause: 'demoted', causeId: data.incidentId, expiresAt: null };
    case 'AutonomyExpired':
      return { ...keyOf(data), from: null, to: null, cause: 'expired', causeId: null, expiresAt: null };
    default:
      return undefined;
  }
};

const keyOf = ({ agentRole, capability }: { agentRole: string; capability: string }) => ({ agentRole, capability });
