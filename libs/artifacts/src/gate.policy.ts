import type { PublishVerdict } from '@app/constitution/contract';
import { reject, type Actor, type Rejected } from '@app/kernel';
import type { Evaluation, KnownArtifact } from './artifact.state';

/** What stands in the way of an artifact: a failed evaluation, or that there is none. */
export type Block = { readonly evaluation: string; readonly detail: string };

/** They change what a site is made of, so a person agrees first. */
const RISKY_TYPES: readonly string[] = ['schema_diff', 'migration', 'seed_data'];
/** A failure of these blocks, whatever the artifact is. */
const BLOCKING: readonly string[] = ['json_schema', 'api_spec', 'migration', 'constitution'];
/** Of these every failure blocks. */
const STRICT_TYPES: readonly string[] = ['schema_diff', 'migration'];

/** A pass that says something: what the caller brought may ask for nothing, and without a pinned constitution nothing was held against one. */
const isProof = ({ status, name, type, constitutionHash }: Evaluation) => status === 'passed' && name === null && (type !== 'constitution' || constitutionHash !== null);

const failedOf = ({ evaluations }: KnownArtifact) => evaluations.filter(({ status }) => status === 'failed');

export const isRisky = (artifact: KnownArtifact): boolean => RISKY_TYPES.includes(artifact.type) || failedOf(artifact).length > 0;

/** What blocks submitting and publishing: failed checks of the last version, and what the constitution in force says of it now. */
export const blocksOf = (artifact: KnownArtifact, { blocking, results }: Pick<PublishVerdict, 'blocking' | 'results'>): readonly Block[] => {
  const failed = failedOf(artifact).filter(({ type }) => BLOCKING.includes(type) || STRICT_TYPES.includes(artifact.type));
  const unproven = isRisky(artifact) && !artifact.evaluations.some(isProof);
  return [
    ...failed.map(({ type, detail }) => ({ evaluation: type, detail: detail ?? 'Failed' })),
    ...blocking.map((id) => ({ evaluation: `constitution:${id}`, detail: results.find(({ evaluatorId }) => evaluatorId === id)?.detail ?? 'Failed' })),
    ...(unproven ? [{ evaluation: 'none', detail: 'No evaluation of this version has passed' }] : []),
  ];
};

export type Passed = { readonly ok: true; readonly override: { readonly reason: string; readonly lifted: Block[] } | null } | Rejected;

/** Lets an artifact through, or a person who says why it may go through all the same. An agent does not overrule what was found out about its work. */
export const passGate = (artifact: KnownArtifact, verdict: PublishVerdict, overrideReason: string | undefined, { kind }: Pick<Actor, 'kind'>): Passed => {
  const blocks = blocksOf(artifact, verdict);
  if (blocks.length === 0) return { ok: true, override: null };
  if (overrideReason === undefined) {
    return reject('conflict', 'CONFLICT', 'Failed checks stand in the way; revise the artifact, or give an overrideReason.', { status: artifact.status, blocks, needs: 'overrideReason' });
  }
  if (kind === 'agent') return reject('forbidden', 'FORBIDDEN', 'An agent does not overrule a failed check; a person does.', { blocks });
  return { ok: true, override: { reason: overrideReason, lifted: [...blocks] } };
};
