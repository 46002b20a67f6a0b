import { HIGHEST_LEVEL, type Settings, type Site } from '@app/governance/contract';
import type { z } from 'zod';
import { capabilitiesOfRole, levelNow } from './demotion.policy';
import type { Evidence as EvidenceShape } from './promotion.events';

export type Evidence = Readonly<z.infer<typeof EvidenceShape>>;
export type Candidate = { readonly agentRole: string; readonly capability: string; readonly from: number; readonly to: number };

/** Every role and capability of the site that could stand one level higher than now. */
export const candidatesOf = (site: Site, now: Date): readonly Candidate[] => {
  const roles = new Set([...Object.keys(site.roles), ...Object.values(site.grants).map(({ agentRole }) => agentRole)]);
  return [...roles].flatMap((agentRole) =>
    capabilitiesOfRole(site, agentRole).flatMap((capability) => {
      // The lowest level that holds now: with one step nothing may rise by two.
      const from = levelNow(site, agentRole, capability, now, 'lowest');
      return from < HIGHEST_LEVEL ? [{ agentRole, capability, from, to: from + 1 }] : [];
    }),
  );
};

/** All four together: a streak of runs, enough decisions by humans, nearly all of them approvals, and nothing that went wrong is open. */
export const isEligible = ({ streak, decided, rate, openIncidents, required }: Evidence): boolean =>
  streak >= required.streak && decided >= required.decided && rate >= required.rate && openIncidents === 0;

export const evidenceOf = (
  streak: number,
  { decided, approved }: { readonly decided: number; readonly approved: number },
  openIncidents: number,
  required: Settings['promotion'],
): Evidence => ({ streak, decided, approved, rate: decided === 0 ? 0 : approved / decided, openIncidents, required });
