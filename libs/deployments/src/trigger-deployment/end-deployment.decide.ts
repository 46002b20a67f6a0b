import { accept, type Decision } from '@app/kernel';
import type { DeploymentEvent } from '../deployment.events';
import type { Deployment } from '../deployment.state';

export type HookOutcome =
  | { readonly ok: true; readonly answer: string | null; readonly durationMs: number }
  | { readonly ok: false; readonly code: string; readonly reason: string; readonly durationMs: number | null };

/** The first outcome counts. */
export const endDeployment = ({ deployment }: { readonly deployment: Deployment }, outcome: HookOutcome, now: Date): Decision<{ readonly deployment: readonly DeploymentEvent[] }> => {
  if (deployment.status !== 'triggered') return accept({ deployment: [] });
  const at = now.toISOString();
  if (outcome.ok) return accept({ deployment: [{ type: 'DeploymentSucceeded', data: { answer: outcome.answer, durationMs: outcome.durationMs, at } }] });
  const { code, reason, durationMs } = outcome;
  return accept({ deployment: [{ type: 'DeploymentFailed', data: { code, reason, durationMs, at } }] });
};
