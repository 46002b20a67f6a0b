import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Pool } from 'pg';
import { ApprovalsModule } from '@app/approvals';
import { AuditModule } from '@app/audit';
import { ContentModule } from '@app/content';
import { Bus, CqrsModule } from '@app/cqrs';
import { EventStore, Executor } from '@app/event-store';
import { GoalsModule } from '@app/goals';
import { CoreTools } from '@app/governance/contract';
import { HttpModule } from '@app/http';
import { OpsModule } from '@app/ops';
import { ProjectionsControl, ReadModels } from '@app/projections';
import { RunsModule } from '@app/runs';
import { SitesModule } from '@app/sites';
import { SkillHandlers, type CoreSkill } from '@app/skills';
import { ToolCallsModule } from '@app/tool-calls';
import { ToolHandlers } from '@app/tool-calls/contract';
import { ToolsModule } from '@app/tools';
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
        CqrsModule, HttpModule, PlatformModule.of(resources, skills), SitesModule, ToolsModule, ToolCallsModule, GoalsModule, RunsModule, ApprovalsModule,
        ContentModule, AuditModule.register({ dataDir: config.dataDir }), OpsModule,
      ],
    };
  }
}
