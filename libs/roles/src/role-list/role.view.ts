import { Role, type Governance, type KnownRole } from '@app/governance/contract';
import { z } from 'zod';

export const RoleView = z.object({ ...Role.shape, enabled: z.boolean() }).meta({ id: 'Role' });
export type RoleView = z.infer<typeof RoleView>;

export const roleView = ({ name, description, capabilities, enabled }: KnownRole): RoleView => ({ name, description, capabilities: [...capabilities], enabled });

export const roleOf = (state: Governance, name: string): KnownRole | undefined =>
  state.status === 'site' && Object.hasOwn(state.roles, name) ? state.roles[name] : undefined;
