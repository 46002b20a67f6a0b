import type { Connection } from '@app/database';
import { Catalogue, eventFamily, type Context } from '@app/kernel';
import { z } from 'zod';
import { newEventId } from '../../ids';
import { PostgresEventStore, type PostgresEventStoreOptions } from '../../postgres/postgres.event-store';

/** What a child process was told by its parent. */
export const input = <T>(): T => JSON.parse(process.argv[2] ?? 'null') as T;

/** One line for the parent. */
export const tell = (line: unknown) => process.stdout.write(`${JSON.stringify(line, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}\n`);

const catalogue = new Catalogue(eventFamily('note', { Noted: z.strictObject({ text: z.string() }) }));

export const open = (connection: Connection, options: Partial<PostgresEventStoreOptions> = {}) =>
  new PostgresEventStore({ connection, catalogue, ...options }).start();

export const note = (text: string) => ({ type: 'Noted', data: { text }, eventId: newEventId() });

export const command = (now = new Date()): Context => ({
  actor: { kind: 'service', id: 'child' }, siteId: 'site_a', now, correlationId: 'child', commandId: `cmd-${newEventId()}`,
});
