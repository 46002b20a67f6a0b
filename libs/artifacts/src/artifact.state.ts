import { unreachable, type Aggregate } from '@app/kernel';
import type { Kept, Step } from './apply-artifact/step.schema';
import type { ArtifactEvent } from './artifact.events';
import type { ArtifactContent, ArtifactStatus, ArtifactType, Provenance } from './artifact.schema';

type EventData<T extends ArtifactEvent['type']> = Extract<ArtifactEvent, { type: T }>['data'];
export type Evaluation = EventData<'ArtifactEvaluated'>;
/** One run that made things; a publication that was begun anew has several. */
export type Part = { readonly runId: string; readonly steps: readonly Step[] };
export type Publication = EventData<'ArtifactPublished'> & { readonly parts: readonly Part[] };
type Passed = Omit<EventData<'ArtifactApplying'>, 'workId' | 'goalId' | 'runId' | 'principalId' | 'steps' | 'at'>;
type Taken = Pick<EventData<'ArtifactUndoing'>, 'from' | 'to' | 'reason' | 'unfinished' | 'kept' | 'by'>;

/** What is being carried out, or was last: `applying` and `waiting` are under way. */
export type Work = {
  readonly workId: string;
  readonly goalId: string;
  readonly runId: string;
  readonly principalId: string;
  readonly steps: readonly Step[];
  readonly status: 'applying' | 'waiting' | 'failed' | 'done';
  readonly done: number;
  readonly approvalId: string | null;
  readonly reason: string | null;
  readonly at: string;
} & ({ readonly does: 'publish'; readonly passed: Passed } | { readonly does: 'rollback'; readonly taken: Taken });

/** One line of what became of an artifact: a version went public, or was taken back. */
export type Chapter = {
  readonly what: 'published' | 'rolled_back'; readonly version: number; readonly by: string; readonly at: string; readonly reason: string | null;
  readonly runId: string | null; readonly steps: number; readonly kept: readonly Kept[];
};

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
  readonly work: Work | null;
  /** What was made for a version that is not public, because a step did not go through. */
  readonly unfinished: readonly Part[];
  /** Oldest first, the last hundred. */
  readonly history: readonly Chapter[];
  readonly createdAt: string;
  readonly changedAt: string;
};
export type Artifact = { readonly status: 'none' } | KnownArtifact;

/** An artifact and its versions. The status is that of the last version; an earlier one may be public meanwhile. */
export const artifact: Aggregate<Artifact, ArtifactEvent> = {
  category: 'artifact',
  stateVersion: 2,
  initial: { status: 'none' },
  evolve: (state, event) => {
    if (event.type === 'ArtifactDrafted') {
      const { artifactId, siteId, type, title, at, ...version } = event.data;
      return {
        status: 'draft', artifactId, siteId, type, title, versions: [{ ...version, createdAt: at }], evaluations: [], approvalId: null, publications: [],
        work: null, unfinished: [], history: [], createdAt: at, changedAt: at,
      };
    }
    if (state.status === 'none') return state;
    const next: KnownArtifact = { ...state, changedAt: event.data.at };
    switch (event.type) {
      case 'ArtifactRevised': {
        const { title, at, ...version } = event.data;
        return { ...next, status: 'draft', title, versions: [...state.versions, { ...version, createdAt: at }], evaluations: [], approvalId: null, work: null };
      }
      case 'ArtifactEvaluated':
        return event.data.version === currentOf(state).version ? { ...next, evaluations: [...state.evaluations.filter((each) => !isSameCheck(each, event.data)), event.data] } : next;
      case 'ArtifactSubmitted':
        return { ...next, status: 'in_review', approvalId: event.data.approvalId };
      case 'ArtifactApproved':
        return { ...next, status: 'approved' };
      case 'ArtifactReturned':
        return { ...next, status: 'draft' };
      case 'ArtifactApplying': {
        const { workId, goalId, runId, principalId, steps, at, ...passed } = event.data;
        const work = { does: 'publish', workId, goalId, runId, principalId, steps, at, passed, ...BEGUN } as const;
        return { ...next, work, unfinished: [...state.unfinished, { runId, steps }] };
      }
      case 'ArtifactUndoing': {
        const { workId, goalId, runId, principalId, steps, at, ...taken } = event.data;
        return { ...next, work: { does: 'rollback', workId, goalId, runId, principalId, steps, at, taken, ...BEGUN } };
      }
      case 'ArtifactWorkWaiting':
      case 'ArtifactWorkFailed': {
        if (state.work?.workId !== event.data.workId) return next;
        const stood = event.type === 'ArtifactWorkWaiting' ? { status: 'waiting', approvalId: event.data.approvalId, reason: null } as const : { status: 'failed', approvalId: null, reason: event.data.reason } as const;
        return { ...next, work: { ...state.work, ...stood, done: event.data.done } };
      }
      case 'ArtifactPublished': {
        const { version, by, at, applied } = event.data;
        const chapter: Chapter = { what: 'published', version, by: by.id, at, reason: null, runId: applied?.runId ?? null, steps: applied?.steps ?? 0, kept: [] };
        return { ...next, status: 'published', publications: [...state.publications, { ...event.data, parts: state.unfinished }], unfinished: [], work: ended(state.work, applied), history: told(state.history, chapter) };
      }
      case 'ArtifactRolledBack': {
        const { from, by, at, reason, unfinished = false, undone } = event.data;
        const chapter: Chapter = { what: 'rolled_back', version: from, by: by.id, at, reason, runId: undone?.runId ?? null, steps: undone?.steps ?? 0, kept: undone?.kept ?? [] };
        const wasCurrent = from === currentOf(state).version;
        return {
          ...next, status: wasCurrent ? 'rolled_back' : state.status, publications: unfinished ? state.publications : state.publications.slice(0, -1), unfinished: [],
          work: ended(state.work, undone), history: told(state.history, chapter),
        };
      }
      default:
        return unreachable(event);
    }
  },
};

const BEGUN = { status: 'applying', done: 0, approvalId: null, reason: null } as const;
const MOST_CHAPTERS = 100;
const told = (history: readonly Chapter[], chapter: Chapter) => [...history, chapter].slice(-MOST_CHAPTERS);
const ended = (work: Work | null, done: { readonly runId: string } | undefined): Work | null =>
  done === undefined || work === null || work.runId !== done.runId ? null : { ...work, status: 'done', done: work.steps.length, approvalId: null, reason: null };

/** Work that is not over: it goes on by itself, or when somebody has decided. */
export const workUnderWay = ({ work }: Pick<KnownArtifact, 'work'>): Work | null => (work?.status === 'applying' || work?.status === 'waiting' ? work : null);

export const currentOf = ({ versions }: KnownArtifact): ArtifactVersion => versions[versions.length - 1]!;
export const publicVersionOf = ({ versions, publications }: KnownArtifact): ArtifactVersion | undefined => versions.find(({ version }) => version === publications.at(-1)?.version);
export const isSameCheck = (one: Pick<Evaluation, 'type' | 'name'>, other: Pick<Evaluation, 'type' | 'name'>): boolean => one.type === other.type && one.name === other.name;
