import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { accessOf, refusalOf } from './access';
import { callerFrom, callerOf, type Caller } from './caller';
import type { Clock } from './clock';
import { credentialOf } from './credential';
import type { Principal } from '@app/kernel';
import type { Authenticator } from './principal';
import { ProblemException } from './problem';

/**
 * The door of every route that is not `@Public()`: key → principal → site → capability. It runs before any pipe, interceptor or handler, and
 * never asks whether a site exists: only whether the principal may use it.
 */
export class AuthGuard implements CanActivate {
  private readonly reflector = new Reflector();

  constructor(
    private readonly authenticator: Authenticator,
    private readonly clock: Clock,
  ) {}

  async canActivate(host: ExecutionContext): Promise<true> {
    const access = accessOf(this.reflector, host.getHandler(), host.getClass());
    if (access.public) return true;
    const caller = host.getType() === 'http' ? await this.admit(host.switchToHttp().getRequest<FastifyRequest>()) : callerOf(host);
    if (!caller) throw ProblemException.unauthenticated();
    const refusal = refusalOf(access, caller.principal, runIdOf(host));
    if (refusal !== undefined) throw new ProblemException(403, 'FORBIDDEN', refusal, { kept: false });
    return true;
  }

  /** Identifies the sender and puts the caller on the request; for transports with a door of their own too. */
  async admit(request: FastifyRequest): Promise<Caller> {
    const credential = credentialOf(request.headers);
    const principal = credential === undefined ? null : await this.authenticator.authenticate(credential, namedSite(request));
    if (!principal) throw ProblemException.unauthenticated();
    return (request.caller = callerFrom(request, principal, siteOf(request, principal), this.clock));
  }
}

/** Of the path, as the router read it. */
const runIdOf = (host: ExecutionContext): string | undefined =>
  host.getType() === 'http' ? (host.switchToHttp().getRequest<FastifyRequest>().params as Readonly<Record<string, string | undefined>> | undefined)?.['runId'] : undefined;

const namedSite = ({ headers: { 'x-site-id': named } }: FastifyRequest): string | undefined => (typeof named === 'string' && named !== '' ? named : undefined);

const siteOf = (request: FastifyRequest, principal: Principal): string => {
  const named = request.headers['x-site-id'];
  if (named === undefined && principal.siteId !== '') return principal.siteId;
  if (named !== undefined && named !== '' && principal.sites.includes(String(named))) return String(named);
  throw ProblemException.crossSite();
};
