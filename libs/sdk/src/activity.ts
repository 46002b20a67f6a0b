import type { ActivityView } from '@app/activity/contract';
import { everyRow, type ListQuery } from './connection/pages';
import type { Page, ReadOptions, Transport } from './connection/transport';

/** Something that the people of a site should hear of, and where to look at it. */
export type ActivityEntry = ActivityView;
export type ActivityQuery = ListQuery & {
  readonly kind?: ActivityEntry['kind'] | undefined;
  /** Only what is about this record. */
  readonly subjectId?: string | undefined;
};

/** The feed of the site, newest first. */
export class Activity {
  constructor(private readonly transport: Transport) {}

  list = (query: ActivityQuery = {}, options: ReadOptions = {}): Promise<Page<ActivityEntry>> => this.transport.page('/agent/activity', { ...options, query });

  each = (query: ActivityQuery = {}, options: ReadOptions = {}): AsyncGenerator<ActivityEntry> => everyRow((cursor) => this.list({ ...query, cursor }, options));
}
