import { Module, type DynamicModule } from '@nestjs/common';
import { WaitingCalls } from './approval-status/waiting-calls';
import { InClientApprovals } from './approve-in-client/in-client-approvals';
import { McpCalls } from './call/mcp-calls';
import { DenyControlPlaneHandler } from './deny-control-plane/deny-control-plane.handler';
import { ForeignOrigins } from './endpoint/foreign-origins';
import { McpServers } from './endpoint/mcp-servers';
import { McpController } from './endpoint/mcp.controller';
import { OwnRuns } from './own-run/own-runs';

export type McpEndpointOptions = {
  /** Origins of foreign pages that may ask, such as `https://desk.example.org`. */
  readonly origins: readonly string[];
};

@Module({ controllers: [McpController], providers: [McpServers, McpCalls, OwnRuns, WaitingCalls, InClientApprovals, DenyControlPlaneHandler] })
export class McpEndpointModule {
  static register({ origins }: McpEndpointOptions): DynamicModule {
    return { module: McpEndpointModule, providers: [{ provide: ForeignOrigins, useValue: new ForeignOrigins(origins) }] };
  }
}
