import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { callerOf, ProblemException } from '@app/http';

/** Agents change content through the one door only, where every call is authorised, budgeted and recorded on a run. */
@Injectable()
export class PeopleAndServicesGuard implements CanActivate {
  canActivate(host: ExecutionContext): true {
    if (callerOf(host)?.principal.kind !== 'agent') return true;
    const detail = 'Agents change content through tool calls on a run: POST /api/v1/agent/runs/:runId/tool-calls.';
    throw new ProblemException(403, 'FORBIDDEN', detail, { kept: false });
  }
}
