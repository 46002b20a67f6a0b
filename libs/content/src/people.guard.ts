import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { callerOf, ProblemException } from '@app/http';

/** What a person keeps from agents, only a person gives back: no agent and no service comes through. */
@Injectable()
export class PeopleGuard implements CanActivate {
  canActivate(host: ExecutionContext): true {
    if (callerOf(host)?.principal.kind === 'human') return true;
    throw new ProblemException(403, 'FORBIDDEN', 'Only a person pins fields or releases them; use the key of one.', { kept: false });
  }
}
