import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Catalogue, eventFamily, type Context } from '@app/kernel';
import type { NewEvent } from '../../event-store';

/** The smallest catalogue: one event type, that says nothing. */
export const NOTES = new Catalogue(eventFamily('note', { Noted: z.object({}) }));

export const noted = (): NewEvent => ({ type: 'Noted', data: {} });

export const contextOf = (): Context => ({
  actor: { kind: 'service', id: 'test' }, siteId: 'site_test', now: new Date(0), correlationId: 'test', commandId: randomUUID(),
});
