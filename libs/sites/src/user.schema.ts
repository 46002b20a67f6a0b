import { z } from 'zod';

/** Where a person is reached, and who they are on the site: written in lower case, and never changed. */
export const Email = z.string().trim().toLowerCase().max(254).regex(/^[A-Za-z0-9._%+'-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/, 'Must be an e-mail address, e.g. ada@example.com');
export const PersonName = z.string().trim().min(1).max(200);
export const USER_STATUSES = ['invited', 'active', 'removed'] as const;

const USER_ID = /^usr_[0-9a-f]{32}$/;
/** Whether an owner of a key is a user of the site; any other text only says whose a key is. */
export const isUserId = (id: string): boolean => USER_ID.test(id);
