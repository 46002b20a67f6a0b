import { toolOf, type Site } from '@app/governance/contract';
import { reject, type Principal, type Rejected } from '@app/kernel';
import type { FlowOperation } from './flow.schema';
import { operationCall } from './operation-call.policy';

/** Why operations cannot be carried out on this site as it is now; undefined when they can. The door asks again at every call. */
export const unknownTools = (site: Site, operations: readonly FlowOperation[]): Rejected | undefined => {
  const errors = operations.flatMap((operation, nr) => {
    const { tool: name } = operationCall(operation);
    const tool = toolOf(site, name);
    const wrong = (detail: string) => [{ pointer: `/operations/${nr}/tool`, detail }];
    if (!tool) return wrong(`No tool of the name ${name} is registered on this site`);
    if (operation.do === 'webhook' && tool.kind !== 'http') return wrong(`${name} is no http tool`);
    return tool.kind === 'client' ? wrong(`${name} is run by its agent, and a flow has none`) : [];
  });
  return errors.length === 0 ? undefined : reject('invalid', 'VALIDATION_FAILED', 'The flow names tools that it cannot use.', { errors });
};

/** A key that is bound to a role cannot set up a helper that is not. */
export const roleRefusal = ({ agentRole: bound }: Pick<Principal, 'agentRole'>, agentRole: string | null): Rejected | undefined =>
  bound !== undefined && bound !== agentRole
    ? reject('forbidden', 'FORBIDDEN', `This key works as ${bound}, and so does every flow that it sets up.`, { agentRole: bound })
    : undefined;
