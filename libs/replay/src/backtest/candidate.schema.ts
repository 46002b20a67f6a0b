import { Evaluators } from '@app/constitution/contract';
import { Capability, PolicyRules, Role, RoleName } from '@app/governance/contract';
import { z } from 'zod';

const CandidateRole = Role.extend({ enabled: z.boolean().default(true) });
const CandidateGrant = z.strictObject({
  agentRole: RoleName, capability: Capability, level: z.int().min(0).max(4).nullable().describe('null takes the grant away'), expiresAt: z.iso.datetime({ offset: true }).nullable().default(null),
});

/** Rules to try on history. `constitution` is tried on the content that was written, the others on the decisions of the door. `policies` stand in for all policies of the site; roles and grants are laid over those that the site had. */
export const Candidate = z.strictObject({
  policies: PolicyRules.optional(),
  roles: z.array(CandidateRole).min(1).max(100).optional(),
  grants: z.array(CandidateGrant).min(1).max(500).optional(),
  constitution: z.strictObject({ evaluators: Evaluators }).optional(),
}).meta({ id: 'BacktestCandidate' });
export type Candidate = z.infer<typeof Candidate>;
