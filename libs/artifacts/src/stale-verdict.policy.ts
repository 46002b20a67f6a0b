import type { Governance } from '@app/governance/contract';
import { currentOf, type Artifact } from './artifact.state';

/** Whether what was judged is not what is there any more: another version of the artifact, or another constitution in force. */
export const isStale = (
  { artifact, governance }: { readonly artifact: Artifact; readonly governance: Governance },
  judged: { readonly version: number; readonly constitutionHash: string | null },
): boolean =>
  artifact.status !== 'none' && governance.status === 'site' && (currentOf(artifact).version !== judged.version || (governance.constitution?.hash ?? null) !== judged.constitutionHash);
