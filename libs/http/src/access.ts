import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { may, type Principal } from '@app/kernel';

const PUBLIC = 'http:public';
const CAPABILITIES = 'http:capabilities';
const ROLES = 'http:roles';
const RUN_TOKEN = 'http:run-token';

type Role = Principal['roles'][number];
type Reader = { getAllAndOverride<T>(key: string, targets: never[]): T | undefined };

/** What a route asks of its caller. */
export type Access = { readonly public: boolean; readonly capabilities: readonly string[]; readonly roles: readonly Role[]; /** Open to the token of the run in its path, or of any run. */ readonly runToken: boolean | 'any' };

/** Names of the marks that the reference reads from an operation. */
export const PUBLIC_MARK = 'x-public';
export const CAPABILITIES_MARK = 'x-required-capabilities';
export const ROLES_MARK = 'x-required-roles';
export const RUN_TOKEN_MARK = 'x-run-token';

/** A route that needs no key. */
export const Public = () => applyDecorators(SetMetadata(PUBLIC, true), ApiExtension(PUBLIC_MARK, true));

/** The caller must hold one of the capabilities, or `*`, or be an admin; else 403 before anything runs. */
export const RequireCapability = (...capabilities: readonly [string, ...string[]]) =>
  applyDecorators(SetMetadata(CAPABILITIES, capabilities), ApiExtension(CAPABILITIES_MARK, capabilities));

/** The caller must have one of the roles; else 403 before anything runs. */
export const RequireRole = (...roles: readonly [Role, ...Role[]]) => applyDecorators(SetMetadata(ROLES, roles), ApiExtension(ROLES_MARK, roles));

/** The token of the run in the path opens this route, too; it opens no other. */
export const AcceptRunToken = () => applyDecorators(SetMetadata(RUN_TOKEN, true), ApiExtension(RUN_TOKEN_MARK, true));

/** The token of any run opens this route, too. The route itself binds what is done there to that run: nobody else checks it. */
export const AcceptAnyRunToken = () => applyDecorators(SetMetadata(RUN_TOKEN, 'any'), ApiExtension(RUN_TOKEN_MARK, true));

/** Reads the marks of a route; those of the method win over those of its class. */
export const accessOf = (reader: Reader, handler: object, controller: object): Access => {
  const targets = [handler, controller] as never[];
  return {
    public: reader.getAllAndOverride<boolean>(PUBLIC, targets) ?? false,
    capabilities: reader.getAllAndOverride<string[]>(CAPABILITIES, targets) ?? [],
    roles: reader.getAllAndOverride<Role[]>(ROLES, targets) ?? [],
    runToken: reader.getAllAndOverride<Access['runToken']>(RUN_TOKEN, targets) ?? false,
  };
};

/** Why a principal may not pass, in a sentence; undefined when it may. */
export const refusalOf = ({ capabilities, roles, runToken }: Access, principal: Principal, runId?: string): string | undefined => {
  if (principal.onlyRun !== undefined && runToken !== 'any' && !(runToken && runId === principal.onlyRun)) return 'The token of a run opens the routes of that run and no others.';
  if (capabilities.length > 0 && !capabilities.some((capability) => may(principal, capability)))
    return `This needs the capability ${capabilities.join(' or ')}.`;
  if (roles.length > 0 && !roles.some((role) => principal.roles.includes(role))) return `This needs the role ${roles.join(' or ')}.`;
  return undefined;
};
