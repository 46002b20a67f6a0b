import { Module } from '@nestjs/common';
import { SiteContent } from './apply-artifact/site-content';
import { UndertakenWork } from './apply-artifact/undertaken-work';
import { GetArtifactHandler, ListArtifactsHandler, ListEvaluationsHandler } from './artifact-list/artifact-queries.handler';
import { ArtifactsController } from './artifacts.controller';
import { CheckContentHandler } from './check-content/check-content.handler';
import { DecideArtifactHandler } from './decide-artifact/decide-artifact.handler';
import { DraftArtifactHandler } from './draft-artifact/draft-artifact.handler';
import { EvaluateArtifactHandler } from './evaluate-artifact/evaluate-artifact.handler';
import { PublishArtifactHandler } from './publish-artifact/publish-artifact.handler';
import { PublishVerdicts } from './publish-verdicts';
import { ReviseArtifactHandler } from './revise-artifact/revise-artifact.handler';
import { RollbackArtifactHandler } from './rollback-artifact/rollback-artifact.handler';
import { RunBudget } from './run-budget';
import { SubmitArtifactHandler } from './submit-artifact/submit-artifact.handler';

@Module({
  controllers: [ArtifactsController],
  providers: [
    RunBudget, PublishVerdicts, SiteContent, UndertakenWork, DraftArtifactHandler, ReviseArtifactHandler, EvaluateArtifactHandler, SubmitArtifactHandler, DecideArtifactHandler, PublishArtifactHandler,
    RollbackArtifactHandler, ListArtifactsHandler, GetArtifactHandler, ListEvaluationsHandler, CheckContentHandler,
  ],
})
export class ArtifactsModule {}
