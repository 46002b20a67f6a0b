import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, ApiList, Caller, cursorParam, limitParam, listAnswer, ListQuery, MinPosition, orProblem, ProblemException, ReadQuery, RequireCapability } from '@app/http';
import { z } from 'zod';
import { ARTIFACT_STATUSES, ARTIFACT_TYPES } from './artifact.schema';
import { GetArtifact, ListArtifacts, ListEvaluations } from './artifact-list/artifact-queries.query';
import { ArtifactSummary, ArtifactView, EvaluationView } from './artifact-list/artifact.view';
import { DraftArtifact, DraftArtifactBody } from './draft-artifact/draft-artifact.command';
import { EvaluateArtifact, EvaluateArtifactBody, EvaluatedArtifact } from './evaluate-artifact/evaluate-artifact.command';
import { PublishArtifact, PublishArtifactBody } from './publish-artifact/publish-artifact.command';
import { ReviseArtifact, ReviseArtifactBody } from './revise-artifact/revise-artifact.command';
import { RollbackArtifact, RollbackArtifactBody } from './rollback-artifact/rollback-artifact.command';
import { SubmitArtifact, SubmitArtifactBody } from './submit-artifact/submit-artifact.command';

const ArtifactsQuery = ListQuery.omit({ sort: true }).extend({
  type: z.enum(ARTIFACT_TYPES).optional(), status: z.enum(ARTIFACT_STATUSES).optional(), runId: z.string().min(1).max(100).optional(),
});
const EvaluationsQuery = ReadQuery.extend({ limit: limitParam, cursor: cursorParam });

@Controller('agent/artifacts')
export class ArtifactsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @RequireCapability('artifacts:read')
  @ApiList(ArtifactSummary)
  async list(@Query({ schema: ArtifactsQuery }) query: z.infer<typeof ArtifactsQuery>, @MinPosition() minPosition: bigint | undefined, @Caller() { siteId }: Caller) {
    return listAnswer(await this.bus.ask(new ListArtifacts(siteId, { ...query, minPosition })));
  }

  @Post()
  @RequireCapability('artifacts:write')
  @ApiAnswer(ArtifactView, { status: 201 })
  async draft(@Body({ schema: DraftArtifactBody }) body: DraftArtifactBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new DraftArtifact(body, caller.principal, caller.context())));
  }

  @Get(':artifactId')
  @RequireCapability('artifacts:read')
  @ApiAnswer(ArtifactView)
  async get(@Param('artifactId') artifactId: string, @Caller() { siteId }: Caller) {
    return orProblem(await this.bus.ask(new GetArtifact(artifactId, siteId)));
  }

  @Get(':artifactId/evaluations')
  @RequireCapability('artifacts:read')
  @ApiList(EvaluationView)
  async evaluations(@Param('artifactId') artifactId: string, @Query({ schema: EvaluationsQuery }) { limit, cursor }: z.infer<typeof EvaluationsQuery>, @Caller() { siteId }: Caller) {
    if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw ProblemException.invalid([{ pointer: '/cursor', detail: 'nextCursor of the page before' }]);
    return listAnswer(orProblem(await this.bus.ask(new ListEvaluations(artifactId, siteId, { limit, after: cursor === undefined ? 0 : Number(cursor) }))).data);
  }

  @Post(':artifactId/revise')
  @RequireCapability('artifacts:write')
  @ApiAnswer(ArtifactView)
  async revise(@Param('artifactId') artifactId: string, @Body({ schema: ReviseArtifactBody }) body: ReviseArtifactBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new ReviseArtifact(artifactId, body, caller.principal, caller.context())));
  }

  @Post(':artifactId/evaluate')
  @RequireCapability('artifacts:write')
  @ApiAnswer(EvaluatedArtifact)
  async evaluate(@Param('artifactId') artifactId: string, @Body({ schema: EvaluateArtifactBody }) body: EvaluateArtifactBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new EvaluateArtifact(artifactId, body, caller.context())));
  }

  @Post(':artifactId/submit')
  @RequireCapability('artifacts:write')
  @ApiAnswer(ArtifactView)
  async submit(@Param('artifactId') artifactId: string, @Body({ schema: SubmitArtifactBody }) body: SubmitArtifactBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new SubmitArtifact(artifactId, body, caller.context())));
  }

  @Post(':artifactId/publish')
  @RequireCapability('artifacts:publish')
  @ApiAnswer(ArtifactView)
  async publish(@Param('artifactId') artifactId: string, @Body({ schema: PublishArtifactBody }) body: PublishArtifactBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new PublishArtifact(artifactId, body, caller.principal, caller.context())));
  }

  @Post(':artifactId/rollback')
  @RequireCapability('artifacts:publish')
  @ApiAnswer(ArtifactView)
  async rollback(@Param('artifactId') artifactId: string, @Body({ schema: RollbackArtifactBody }) body: RollbackArtifactBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new RollbackArtifact(artifactId, body, caller.principal, caller.context())));
  }
}
