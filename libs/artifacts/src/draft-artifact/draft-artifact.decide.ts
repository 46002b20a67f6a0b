import type { Governance } from '@app/governance/contract';
import { accept, type Context, type Decision } from '@app/kernel';
import type { Run, RunEvent } from '@app/runs/contract';
import type { ArtifactEvent } from '../artifact.events';
import type { Artifact } from '../artifact.state';
import { attach, type Author } from '../attachment.policy';
import type { DraftArtifactBody } from './draft-artifact.command';

type Made = { readonly artifactId: string; readonly hash: string; readonly bytes: number };

/** The first version of a new artifact; nothing it describes takes effect. */
export const draftArtifact = (
  states: { readonly artifact: Artifact; readonly run: Run; readonly governance: Governance },
  { type, title, content }: Pick<DraftArtifactBody, 'type' | 'title' | 'content'>,
  author: Author,
  { artifactId, hash, bytes }: Made,
  { siteId, now }: Pick<Context, 'siteId' | 'now'>,
): Decision<{ readonly artifact: readonly ArtifactEvent[]; readonly run: readonly RunEvent[] }> => {
  if (states.artifact.status !== 'none') return accept({ artifact: [], run: [] });
  const attached = attach(states, author, { artifactId, bytes, siteId });
  if (!attached.ok) return attached;
  const { provenance, run } = attached;
  return accept({ artifact: [{ type: 'ArtifactDrafted', data: { artifactId, siteId, type, title, version: 1, hash, bytes, content, provenance, at: now.toISOString() } }], run });
};
