import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Pool } from 'pg';
import { ActivityModule } from '@app/activity';
import { AgentReviewModule } from '@app/agent-review';
import { ApprovalsModule } from '@app/approvals';
import { AuditModule } from '@app/audit';
import { AutonomyModule } from '@app/autonomy';
import { ConstitutionModule } from '@app/constitution';
import { ContentModule } from '@app/content';
import { Bus, CqrsModule } from '@app/cqrs';
import { EventStore, Executor } from '@app/event-store';
import { GoalsModule } from '@app/goals';
import { CoreTools } from '@app/governance/contract';
import { HttpModule } from '@app/http';
import { KillSwitchModule } from '@app/kill-switch';
import { OpsModule } from '@app/ops';
import { PoliciesModule } from '@app/policies';
import { ProjectionsControl, ReadModels } from '@app/projections';
import { ReplayModule } from '@app/replay';
import { RolesModule } from '@app/roles';
import { RunsModule } from '@app/runs';
import { SettingsModule } from '@app/settings';
import { SitesModule } from '@app/sites';
import { SkillHandlers, type CoreSkill } from '@app/skills';
import { StagingModule } from '@app/staging';
import { prepareAction, ToolCallsModule } from '@app/tool-calls';
import { ActionPreparer, ToolHandlers } from '@app/tool-calls/contract';
import { ToolsModule } from '@app/tools';
import { TrustModule } from '@app/trust';
import { aggregates } from './composition';
import type { Config } from './config';
import type { Resources } from './resources';

/** The opened resources under the class tokens that capabilities ask for. */
@Global()
@Module({})
export class PlatformModule {
  static of({ store, executor, reads, control, pool }: Resources, skills: readonly CoreSkill[]): DynamicModule {
    const providers = [
      { provide: EventStore, useValue: store },
      { provide: Executor, useValue: executor },
      { provide: ReadModels, useValue: reads },
      { provide: ProjectionsControl, useValue: control },
      { provide: Pool, useValue: pool },
      { provide: ActionPreparer, useValue: { prepare: prepareAction } satisfies ActionPreparer },
      { provide: CoreTools, useValue: { definitions: skills.map(({ definition }) => definition) } },
      { provide: ToolHandlers, inject: [Bus], useFactory: (bus: Bus) => new SkillHandlers(bus, skills) },
    ];
    return { module: PlatformModule, providers, exports: providers };
  }
}

/** The server is a list of capabilities. */
@Module({})
export class GatewayModule {
  static of(resources: Resources, config: Config, skills: readonly CoreSkill[]): DynamicModule {
    return {
      module: GatewayModule,
      imports: [
        CqrsModule, HttpModule, PlatformModule.of(resources, skills), SitesModule, SettingsModule, RolesModule, PoliciesModule, AutonomyModule, KillSwitchModule, ToolsModule, ToolCallsModule, GoalsModule, RunsModule, ApprovalsModule,
        ConstitutionModule, AgentReviewModule, TrustModule,
        StagingModule, ActivityModule, ContentModule, AuditModule.register({ dataDir: config.dataDir }), ReplayModule.register({ aggregates }), OpsModule,
      ],
    };
  }
}
