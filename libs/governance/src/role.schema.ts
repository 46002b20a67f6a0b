import { z } from 'zod';
import { Capability } from './tool.schema';

export const RoleName = z.string().regex(/^[A-Za-z][A-Za-z0-9 _-]{0,63}$/, 'Letters, digits, spaces, _ and -, at most 64');

/** What an agent acting under this role may do at most; its key narrows it further. */
export const Role = z.strictObject({
  name: RoleName,
  description: z.string().max(2_000),
  capabilities: z.array(Capability).max(100),
});
export type Role = Readonly<z.infer<typeof Role>>;

/** The roles every site starts with, each as small as its work allows. */
export const SEEDED_ROLES: readonly Role[] = [
  { name: 'Planner', description: 'Breaks goals into smaller ones.', capabilities: ['schema:read', 'items:read', 'memory:read', 'intents:read'] },
  { name: 'Writer', description: 'Writes and edits content.', capabilities: ['items:read', 'items:write', 'items:update', 'memory:read', 'artifacts:write'] },
  { name: 'Translator', description: 'Translates content.', capabilities: ['items:read', 'items:update', 'memory:read'] },
  { name: 'Taxonomist', description: 'Keeps categories and relations in order.', capabilities: ['schema:read', 'items:read', 'items:update'] },
  { name: 'SEO', description: 'Improves how content is found.', capabilities: ['items:read', 'items:update'] },
  { name: 'FactChecker', description: 'Checks statements against sources.', capabilities: ['items:read', 'memory:read', 'review:items'] },
  { name: 'Librarian', description: 'Keeps what is known findable.', capabilities: ['items:read', 'memory:read', 'memory:write', 'artifacts:read'] },
];
