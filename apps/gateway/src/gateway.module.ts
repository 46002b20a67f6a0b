import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Pool } from 'pg';
import { ActivityModule } from '@app/activity';
import { AgentReviewModule } from '@app/agent-review';
import { ApprovalsModule } from '@app/approvals';
import { ArtifactsModule } from '@app/artifacts';
import { AuditModule } from '@app/audit';
import { AutonomyModule } from '@app/autonomy';
import { CdcModule } from '@app/cdc';
import { ConstitutionModule } from '@app/constitution';
import { ContentModule } from '@app/content';
import { Bus, CqrsModule } from '@app/cqrs';
import { DeployHook, DeploymentsModule, HttpDeployHook } from '@app/deployments';
import { DeskModule } from '@app/desk';
import { EventStore, Executor } from '@app/event-store';
import { FlowsModule } from '@app/flows';
import { GenerateAppModule } from '@app/generate-app';
import { GoalsModule } from '@app/goals';
import { CoreTools } from '@app/governance/contract';
import { HttpModule } from '@app/http';
import { IntentDeferrals, IntentsModule, ItemPages, LanguageModel, LinkChecker, OutboundLinks } from '@app/intents';
import { KillSwitchModule } from '@app/kill-switch';
import { Liveness } from '@app/liveness';
import { LoadGuardDeferrals, RateWindows } from '@app/load-guard';
import { MemoryModule } from '@app/memory';
import { McpEndpointModule } from '@app/mcp-endpoint';
import { NotificationsModule } from '@app/notifications';
import { OidcModule } from '@app/oidc';
import { OpsModule } from '@app/ops';
import { OutboundHttp } from '@app/outbound';
import { PoliciesModule } from '@app/policies';
import { PrivacyModule, Traces } from '@app/privacy';
import { ProjectionsControl, ReadModels } from '@app/projections';
import { QueueProvider } from '@app/queue';
import { ReplayModule } from '@app/replay';
import { RolesModule } from '@app/roles';
import { RunTokensModule } from '@app/run-tokens';
import { RunsModule } from '@app/runs';
import { SettingsModule } from '@app/settings';
import { SitesModule } from '@app/sites';
import { SiteDirectory } from '@app/sites/contract';
import { SkillHandlers, SkillsModule, type CoreSkill } from '@app/skills';
import { StagingModule } from '@app/staging';
import { HandlersByKind, prepareAction, SealedArguments, ToolCallsModule } from '@app/tool-calls';
import { ActionPreparer, Deferrals, ExactArguments, ToolHandlers } from '@app/tool-calls/contract';
import { HttpTools } from '@app/tool-http';
import { McpTools, ToolMcpModule, Upstreams } from '@app/tool-mcp';
import { ToolWorkerModule, WorkerTools } from '@app/tool-worker';
import { ToolsModule } from '@app/tools';
import { TrustModule } from '@app/trust';
import { SecretResolver, Vault } from '@app/vault';
import { VaultSigningSecret } from '@app/webhooks';
import { ReadModelItemPages } from '../../worker/src/item-pages';
import { contactOf } from '../../worker/src/notifications';
import { RunTraces } from '../../worker/src/run-traces';
import { siteIds } from '../../worker/src/site-ids';
import { CombinedDeferrals } from './combined-deferrals';
import { aggregates } from './composition';
import type { Config } from './config';
import { languageModel } from './language-model';
import type { Resources } from './resources';
import { traced } from './traced-tool-handlers';

/** The opened resources under the class tokens that capabilities ask for. */
@Global()
@Module({})
export class PlatformModule {
  static of({ store, executor, reads, control, queue, pool, liveness, vault, payloads, idempotency, spans }: Resources, skills: readonly CoreSkill[], config: Config): DynamicModule {
    const outbound = new OutboundHttp();
    const http = new HttpTools({ executor, outbound, secrets: vault, signing: new VaultSigningSecret(vault) });
    const providers = [
      { provide: EventStore, useValue: store },
      { provide: Executor, useValue: executor },
      { provide: ReadModels, useValue: reads },
      { provide: ProjectionsControl, useValue: control },
      { provide: QueueProvider, useValue: queue },
      { provide: Pool, useValue: pool },
      { provide: SiteDirectory, useValue: { all: () => siteIds(pool) } satisfies SiteDirectory },
      { provide: Liveness, useValue: liveness },
      { provide: Vault, useValue: vault },
      { provide: Traces, useValue: new RunTraces({ pool, payloads, idempotency }) },
      { provide: SecretResolver, useValue: vault },
      { provide: ExactArguments, useValue: new SealedArguments(vault) },
      { provide: OutboundHttp, useValue: outbound },
      { provide: ItemPages, useValue: new ReadModelItemPages(reads) },
      { provide: LinkChecker, useValue: new OutboundLinks(outbound, executor) },
      { provide: DeployHook, useValue: new HttpDeployHook(http) },
      { provide: LanguageModel, useValue: languageModel(config) },
      { provide: Deferrals, useValue: new CombinedDeferrals([new IntentDeferrals(executor), new LoadGuardDeferrals(executor, new RateWindows(pool))]) },
      { provide: ActionPreparer, useValue: { prepare: prepareAction } satisfies ActionPreparer },
      { provide: CoreTools, useValue: { definitions: skills.map(({ definition }) => definition) } },
      { provide: ToolHandlers, inject: [Bus, Upstreams, WorkerTools], useFactory: (bus: Bus, upstreams: Upstreams, worker: WorkerTools) => traced(new HandlersByKind({ skill: new SkillHandlers(bus, skills), http, mcp: new McpTools(executor, upstreams), worker }), spans) },
    ];
    return { module: PlatformModule, providers, exports: providers };
  }
}

/** The server is a list of capabilities, and what else a process brings. */
@Module({})
export class GatewayModule {
  static of(resources: Resources, config: Config, skills: readonly CoreSkill[], ...more: readonly DynamicModule[]): DynamicModule {
    return {
      module: GatewayModule,
      imports: [
        CqrsModule, HttpModule, PlatformModule.of(resources, skills, config), RunTokensModule, OidcModule.register(config.oidc), SitesModule, SkillsModule, SettingsModule, RolesModule, PoliciesModule, AutonomyModule, KillSwitchModule, ToolsModule, ToolMcpModule.register({ stdio: config.mcpStdio }), ToolWorkerModule, ToolCallsModule, GoalsModule, RunsModule, ApprovalsModule,
        ConstitutionModule, AgentReviewModule, TrustModule,
        StagingModule, IntentsModule, FlowsModule, ArtifactsModule, GenerateAppModule, MemoryModule, PrivacyModule, ActivityModule, ContentModule, DeskModule, CdcModule.register({ isConfigured: resources.nats !== undefined }), DeploymentsModule, NotificationsModule.register({ publicUrl: () => config.reach.publicUrl, contact: contactOf(config.reach) }), AuditModule.register({ dataDir: config.dataDir }), ReplayModule.register({ aggregates }), OpsModule, McpEndpointModule.register({ origins: config.corsOrigins }), ...more,
      ],
    };
  }
}
