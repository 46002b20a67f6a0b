import { Module } from '@nestjs/common';
import { WaitingCalls } from './approval-status/waiting-calls';
import { InClientApprovals } from './approve-in-client/in-client-approvals';
import { McpCalls } from './call/mcp-calls';
import { DenyControlPlaneHandler } from './deny-control-plane/deny-control-plane.handler';
import { McpServers } from './endpoint/mcp-servers';
import { McpController } from './endpoint/mcp.controller';
import { OwnRuns } from './own-run/own-runs';

@Module({ controllers: [McpController], providers: [McpServers, McpCalls, OwnRuns, WaitingCalls, InClientApprovals, DenyControlPlaneHandler] })
export class McpEndpointModule {}
