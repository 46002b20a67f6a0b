import { HIGHEST_LEVEL, type Grant } from '@app/governance/contract';
import { Evidence, IncidentView } from '@app/trust/contract';
import { z } from 'zod';

const Level = z.int().min(0).max(HIGHEST_LEVEL);

/** One entry of the ledger, as it counts now. `cause` says what set the level last, and `grantedBy` who or which record did. */
export const GrantView = z.object({
  agentRole: z.string(),
  capability: z.string(),
  level: Level,
  expiresAt: z.string().nullable(),
  grantedBy: z.string(),
  cause: z.enum(['granted', 'promoted', 'demoted']),
}).meta({ id: 'Grant' });
export type GrantView = z.infer<typeof GrantView>;

/** A grant that counts now, with what the log says for and against it. */
const LedgerEntry = GrantView.extend({ siteId: z.string(), evidence: Evidence }).meta({ id: 'LedgerEntry' });

/** The grants that count now, and the open incidents that cost trust. */
export const AutonomyView = z.object({ grants: z.array(LedgerEntry), incidents: z.array(IncidentView) }).meta({ id: 'Autonomy' });
export type AutonomyView = z.infer<typeof AutonomyView>;

/** A level change with what it was before; null stands for no grant. `causeId` is the promotion or incident behind it. */
export const LevelChangeView = z.object({
  position: z.string(),
  at: z.string(),
  agentRole: z.string(),
  capability: z.string(),
  from: Level.nullable(),
  to: Level.nullable(),
  cause: z.enum(['granted', 'promoted', 'demoted', 'expired']),
  causeId: z.string().nullable(),
  by: z.object({ kind: z.enum(['human', 'agent', 'service']), id: z.string() }),
  expiresAt: z.string().nullable(),
}).meta({ id: 'LevelChange' });
export type LevelChangeView = z.infer<typeof LevelChangeView>;

export const grantView = ({ agentRole, capability, level, expiresAt, grantedBy, cause }: Grant): GrantView => ({
  agentRole, capability, level, expiresAt, grantedBy, cause,
});
