import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { callerOf, ProblemException } from '@app/http';

/** Agents get at a desk through the one door only, where every call is authorised, and every read leaves its entry. */
@Injectable()
export class AgentsAskGuard implements CanActivate {
  canActivate(host: ExecutionContext): true {
    if (callerOf(host)?.principal.kind !== 'agent') return true;
    throw new ProblemException(403, 'FORBIDDEN', 'Agents use a desk through tool calls on a run: POST /api/v1/agent/runs/:runId/tool-calls.', { kept: false });
  }
}
