import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { EventStore, Executor } from '@app/event-store';
import { missing, type Outcome, type Recorded } from '@app/kernel';
import { equalTo, ReadModels } from '@app/projections';
import type { ArtifactEvent } from '../artifact.events';
import { artifact } from '../artifact.state';
import { GetArtifact, ListArtifacts, ListEvaluations } from './artifact-queries.query';
import { artifactSummary, artifactView, evaluationView, type ArtifactView, type EvaluationView } from './artifact.view';
import { artifacts } from './artifacts.projection';

@QueryHandler(ListArtifacts)
export class ListArtifactsHandler implements IQueryHandler<ListArtifacts> {
  constructor(private readonly reads: ReadModels) {}

  async execute({ siteId, filter: { limit, cursor, minPosition, ...equal } }: ListArtifacts) {
    if (minPosition !== undefined) await this.reads.reached(artifacts, minPosition);
    const page = await this.reads.list(artifacts, { siteId, limit, where: equalTo(equal), ...(cursor !== undefined && { cursor }) });
    return { ...page, rows: page.rows.map((row) => artifactSummary(row.artifact)) };
  }
}

@QueryHandler(GetArtifact)
export class GetArtifactHandler implements IQueryHandler<GetArtifact> {
  constructor(private readonly executor: Executor) {}

  async execute({ artifactId, siteId }: GetArtifact): Promise<Outcome<ArtifactView>> {
    const { state, position } = await this.executor.current(artifact, artifactId);
    return state.status === 'none' || state.siteId !== siteId ? missing() : { ok: true, data: artifactView(state), position };
  }
}

@QueryHandler(ListEvaluations)
export class ListEvaluationsHandler implements IQueryHandler<ListEvaluations> {
  constructor(
    private readonly store: EventStore,
    private readonly executor: Executor,
  ) {}

  async execute({ artifactId, siteId, page: { limit, after } }: ListEvaluations) {
    const { state, version, position } = await this.executor.current(artifact, artifactId);
    if (state.status === 'none' || state.siteId !== siteId) return missing();
    const rows: EvaluationView[] = [];
    let last = after;
    if (after < version) {
      for await (const event of this.store.read(`artifact-${artifactId}`, after + 1) as AsyncIterable<Recorded<ArtifactEvent>>) {
        if (event.type === 'ArtifactEvaluated') rows.push(evaluationView(event.data));
        last = event.version;
        if (rows.length === limit) break;
      }
    }
    return { ok: true as const, data: { rows, nextCursor: rows.length === limit && last < version ? String(last) : null, position }, position };
  }
}
