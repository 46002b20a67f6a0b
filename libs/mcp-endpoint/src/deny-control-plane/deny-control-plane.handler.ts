import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { accept, reject, type Outcome } from '@app/kernel';
import { mcpAccess } from '../mcp-access.state';
import { DenyControlPlane } from './deny-control-plane.command';

@CommandHandler(DenyControlPlane)
export class DenyControlPlaneHandler implements ICommandHandler<DenyControlPlane> {
  constructor(private readonly executor: Executor) {}

  /** The record comes first: a refusal that cannot be recorded is one all the same, with the reason that the log cannot be written. */
  async execute({ tool, runId, principal, context }: DenyControlPlane): Promise<Outcome<never>> {
    const denied = { principalId: principal.id, principalKind: principal.kind, tool, runId: runId ?? null, at: context.now.toISOString() };
    const recorded = await this.executor.execute({ access: { aggregate: mcpAccess, id: principal.id } }, context, () =>
      accept({ access: [{ type: 'ControlPlaneSkillDenied' as const, data: denied }] }),
    );
    return recorded.ok ? reject('forbidden', 'CONTROL_PLANE_FORBIDDEN', `${tool} belongs to the control plane; over MCP only an admin calls it.`, { tool }) : recorded;
  }
}
