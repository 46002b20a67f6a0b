import type {
  ArtifactSummary, ArtifactView, DraftArtifactBody, EvaluateArtifactBody, EvaluatedArtifact, EvaluationView, PublishArtifactBody, ReviseArtifactBody, RollbackArtifactBody, SubmitArtifactBody,
} from '@app/artifacts/contract';
import type { GenerateAppBody, GeneratedApp } from '@app/generate-app/contract';
import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, Page, ReadOptions, Transport, WriteOptions } from './connection/transport';

/** A reviewable output with its versions; `application` tells how far publishing or a rollback has come, `history` what became of it. */
export type Artifact = ArtifactView;
export type NewArtifact = DraftArtifactBody;
export type ArtifactRevision = ReviseArtifactBody;
export type ArtifactEvaluation = EvaluationView;
export type ArtifactQuery = ListQuery & { readonly type?: ArtifactSummary['type']; readonly status?: ArtifactSummary['status']; readonly runId?: string };
export type AppWish = GenerateAppBody;
export type { ArtifactSummary, EvaluatedArtifact, GeneratedApp };

/** Needs `artifacts:read`, `artifacts:write` for drafts and their checks, `artifacts:publish` to publish and roll back. */
export class Artifacts {
  constructor(private readonly transport: Transport) {}

  list = (query: ArtifactQuery = {}, options: ReadOptions = {}): Promise<Page<ArtifactSummary>> => this.transport.page('/agent/artifacts', { ...options, query });

  each = (query: ArtifactQuery = {}, options: ReadOptions = {}): AsyncGenerator<ArtifactSummary> => everyRow((cursor) => this.list({ ...query, cursor }, options));

  get = async (artifactId: string, options?: ReadOptions): Promise<Artifact> => (await this.transport.read<Artifact>(path`/agent/artifacts/${artifactId}`, options)).data;

  draft = (artifact: NewArtifact, options?: WriteOptions): Promise<Answer<Artifact>> => this.transport.write('POST', '/agent/artifacts', artifact, options);

  revise = (artifactId: string, revision: ArtifactRevision, options?: WriteOptions): Promise<Answer<Artifact>> => this.transport.write('POST', path`/agent/artifacts/${artifactId}/revise`, revision, options);

  /** Without a list, the checks that suit its type. */
  evaluate = (artifactId: string, checks: EvaluateArtifactBody = {}, options?: WriteOptions): Promise<Answer<EvaluatedArtifact>> =>
    this.transport.write('POST', path`/agent/artifacts/${artifactId}/evaluate`, checks, options);

  evaluations = (artifactId: string, query: ListQuery = {}, options: ReadOptions = {}): Promise<Page<ArtifactEvaluation>> =>
    this.transport.page(path`/agent/artifacts/${artifactId}/evaluations`, { ...options, query });

  eachEvaluation = (artifactId: string, query: ListQuery = {}, options: ReadOptions = {}): AsyncGenerator<ArtifactEvaluation> =>
    everyRow((cursor) => this.evaluations(artifactId, { ...query, cursor }, options));

  /** Asks a person; the approval is decided like every other. */
  submit = (artifactId: string, body: SubmitArtifactBody = {}, options?: WriteOptions): Promise<Answer<Artifact>> => this.transport.write('POST', path`/agent/artifacts/${artifactId}/submit`, body, options);

  /** What a `schema_diff` or `seed_data` describes is made through the door; while a step waits for a person, `application.status` is `waiting` and publishing goes on by itself. */
  publish = (artifactId: string, body: PublishArtifactBody = {}, options?: WriteOptions): Promise<Answer<Artifact>> => this.transport.write('POST', path`/agent/artifacts/${artifactId}/publish`, body, options);

  /** Takes back what publishing made, too; what people have changed meanwhile is kept and named in `application.kept`. */
  rollback = (artifactId: string, body: RollbackArtifactBody = {}, options?: WriteOptions): Promise<Answer<Artifact>> => this.transport.write('POST', path`/agent/artifacts/${artifactId}/rollback`, body, options);

  /** An app as four drafts, checked; nothing else changes. */
  generateApp = (wish: AppWish, options?: WriteOptions): Promise<Answer<GeneratedApp>> => this.transport.write('POST', '/agent/generate-app', wish, options);
}
