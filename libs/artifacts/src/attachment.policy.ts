import { freezeOf, type Governance } from '@app/governance/contract';
import { missing, reject, type Principal, type Rejected } from '@app/kernel';
import { isLive, isOpened, type Run, type RunEvent } from '@app/runs/contract';
import type { Provenance } from './artifact.schema';

/** Who writes a version and on whose behalf; `sources` and `model` are what they say of it. */
export type Author = { readonly principal: Principal; readonly by: Provenance['by']; readonly runId: string | null; readonly sources: readonly string[]; readonly model: string | null };
export type Attached = { readonly ok: true; readonly provenance: Provenance; readonly run: readonly RunEvent[] } | Rejected;

/**
 * Where a version comes from, and what its run pays for it. Only a run's own agent attaches to it, while it works; what does not fit into its
 * budget is refused with the stop reason that the run then ends with. A freeze refuses both ways.
 */
export const attach = (
  { run, governance }: { readonly run: Run; readonly governance: Governance },
  { principal, by, runId, sources, model }: Author,
  { artifactId, bytes, siteId }: { readonly artifactId: string; readonly bytes: number; readonly siteId: string },
): Attached => {
  if (governance.status === 'none') return missing();
  const said = { by, sources: [...sources] };
  if (runId === null) {
    const agentRole = principal.agentRole ?? null;
    return frozen(governance, agentRole) ?? { ok: true, provenance: { ...said, runId: null, goalId: null, agentName: null, agentRole, model, constitution: governance.constitution }, run: [] };
  }
  if (!isOpened(run) || run.envelope.context.siteId !== siteId) return missing();
  const { envelope, goalId, agentName, agentRole = null } = run;
  if (envelope.principalId !== principal.id && !principal.roles.includes('admin')) return missing();
  if (!isLive(run)) {
    return run.status === 'queued'
      ? reject('conflict', 'CONFLICT', 'This run has not begun.', { runStatus: run.status })
      : reject('conflict', 'RUN_TERMINAL', 'This run has already ended.', { runStatus: run.status, stopReason: run.stopReason });
  }
  if (run.cancelRequested) return reject('conflict', 'RUN_TERMINAL', 'This run is being cancelled.', { runStatus: run.status, stopReason: null });
  const refused = frozen(governance, agentRole);
  if (refused) return refused;
  const { maxArtifactBytes } = envelope.budget;
  if (run.spent.artifactBytes + bytes > maxArtifactBytes) {
    return reject('conflict', 'CONFLICT', `The artifact has ${bytes} bytes and the run has ${Math.max(0, maxArtifactBytes - run.spent.artifactBytes)} left.`, {
      stopReason: BYTES_EXHAUSTED, maxArtifactBytes, spent: run.spent.artifactBytes, bytes,
    });
  }
  const constitution = run.constitution === undefined ? null : { constitutionId: run.constitution.constitutionId, hash: run.constitution.hash };
  return {
    ok: true,
    provenance: { ...said, runId, goalId, agentName, agentRole, model: model ?? envelope.model ?? null, constitution },
    run: [{ type: 'ArtifactAttached', data: { artifactId, bytes } }],
  };
};

export const BYTES_EXHAUSTED = 'budget_artifact_bytes';
/** Whether a refusal means that the run is to end. */
export const exhaustsRun = ({ rejection }: Rejected): boolean => rejection.facts?.['stopReason'] === BYTES_EXHAUSTED && rejection.code === 'CONFLICT';

export const frozen = (governance: Extract<Governance, { status: 'site' }>, agentRole: string | null): Rejected | undefined => {
  const freeze = freezeOf(governance, { agentRole });
  return freeze && reject('frozen', 'FROZEN', 'This work is frozen until somebody lifts the freeze.', { freezeId: freeze.freezeId, scope: freeze.scope });
};
