import { unreachable, type Aggregate } from '@app/kernel';
import type { ArtifactEvent } from './artifact.events';
import type { ArtifactContent, ArtifactStatus, ArtifactType, Provenance } from './artifact.schema';

type EventData<T extends ArtifactEvent['type']> = Extract<ArtifactEvent, { type: T }>['data'];
export type Evaluation = EventData<'ArtifactEvaluated'>;
export type Publication = EventData<'ArtifactPublished'>;

export type ArtifactVersion = {
  readonly version: number;
  readonly hash: string;
  readonly bytes: number;
  readonly content: ArtifactContent;
  readonly provenance: Provenance;
  readonly createdAt: string;
};
export type KnownArtifact = {
  readonly status: ArtifactStatus;
  readonly artifactId: string;
  readonly siteId: string;
  readonly type: ArtifactType;
  readonly title: string;
  /** Oldest first; the last is the one that is worked on. */
  readonly versions: readonly ArtifactVersion[];
  /** The latest word of each check on the last version. */
  readonly evaluations: readonly Evaluation[];
  /** The question that is or was asked about the last version. */
  readonly approvalId: string | null;
  /** Oldest first; the last is what is public now. A rollback takes it away. */
  readonly publications: readonly Publication[];
  readonly createdAt: string;
  readonly changedAt: string;
};
export type Artifact = { readonly status: 'none' } | KnownArtifact;

/** An artifact and its versions. The status is that of the last version; an earlier one may be public meanwhile. */
export const artifact: Aggregate<Artifact, ArtifactEvent> = {
  category: 'artifact',
  stateVersion: 1,
  initial: { status: 'none' },
  evolve: (state, event) => {
    if (event.type === 'ArtifactDrafted') {
      const { artifactId, siteId, type, title, at, ...version } = event.data;
      return {
        status: 'draft', artifactId, siteId, type, title, versions: [{ ...version, createdAt: at }], evaluations: [], approvalId: null, publications: [], createdAt: at, changedAt: at,
      };
    }
    if (state.status === 'none') return state;
    const next: KnownArtifact = { ...state, changedAt: event.data.at };
    switch (event.type) {
      case 'ArtifactRevised': {
        const { title, at, ...version } = event.data;
        return { ...next, status: 'draft', title, versions: [...state.versions, { ...version, createdAt: at }], evaluations: [], approvalId: null };
      }
      case 'ArtifactEvaluated':
        return event.data.version === currentOf(state).version ? { ...next, evaluations: [...state.evaluations.filter((each) => !isSameCheck(each, event.data)), event.data] } : next;
      case 'ArtifactSubmitted':
        return { ...next, status: 'in_review', approvalId: event.data.approvalId };
      case 'ArtifactApproved':
        return { ...next, status: 'approved' };
      case 'ArtifactReturned':
        return { ...next, status: 'draft' };
      case 'ArtifactPublished':
        return { ...next, status: 'published', publications: [...state.publications, event.data] };
      case 'ArtifactRolledBack': {
        const wasPublic = state.publications.at(-1)?.version === currentOf(state).version;
        return { ...next, status: wasPublic ? 'rolled_back' : state.status, publications: state.publications.slice(0, -1) };
      }
      default:
        return unreachable(event);
    }
  },
};

export const currentOf = ({ versions }: KnownArtifact): ArtifactVersion => versions[versions.length - 1]!;
export const publicVersionOf = ({ versions, publications }: KnownArtifact): ArtifactVersion | undefined => versions.find(({ version }) => version === publications.at(-1)?.version);
export const isSameCheck = (one: Pick<Evaluation, 'type' | 'name'>, other: Pick<Evaluation, 'type' | 'name'>): boolean => one.type === other.type && one.name === other.name;
