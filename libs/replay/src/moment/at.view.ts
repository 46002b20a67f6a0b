import { RunView } from '@app/runs/contract';
import { z } from 'zod';
import { AsOf, DecisionView } from './decision.view';

export const StreamAtView = z.object({ streamId: z.string(), asOf: AsOf, state: z.json(), decisions: z.array(DecisionView) }).meta({ id: 'StreamAt' });
export type StreamAtView = z.infer<typeof StreamAtView>;

export const RunAtView = RunView.extend({ asOf: AsOf, decisions: z.array(DecisionView) }).meta({ id: 'RunAt' });
export type RunAtView = z.infer<typeof RunAtView>;

export const ApprovalAtView = z.object({ approvalId: z.string(), status: z.string(), asOf: AsOf, state: z.json() }).meta({ id: 'ApprovalAt' });
export type ApprovalAtView = z.infer<typeof ApprovalAtView>;

/** A level as it was granted, and whether the grant was in force at that moment: an expired one counts as none. */
const GrantAt = z.object({
  agentRole: z.string(), capability: z.string(), level: z.int(), expiresAt: z.string().nullable(), grantedBy: z.string(), cause: z.string(), inForce: z.boolean(),
}).meta({ id: 'GrantAt' });
export const AutonomyAtView = z.object({ asOf: AsOf, grants: z.array(GrantAt) }).meta({ id: 'AutonomyAt' });
export type AutonomyAtView = z.infer<typeof AutonomyAtView>;

const Rule = z.record(z.string(), z.json());
export const GovernanceAtView = z.object({
  asOf: AsOf,
  siteId: z.string(),
  name: z.string(),
  flags: z.record(z.string(), z.boolean()),
  settings: Rule,
  roles: z.array(Rule),
  grants: z.array(GrantAt),
  freezes: z.array(Rule),
  policies: z.array(Rule),
  constitution: z.object({ constitutionId: z.string(), hash: z.string() }).nullable(),
  tools: z.array(z.object({ name: z.string(), enabled: z.boolean(), risk: z.string(), isDangerous: z.boolean(), requiredCapabilities: z.array(z.string()) })),
}).meta({ id: 'GovernanceAt' });
export type GovernanceAtView = z.infer<typeof GovernanceAtView>;
