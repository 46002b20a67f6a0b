import type { Recorded } from '@app/kernel';

/** A point in history: up to and including a log position, an instant (ISO 8601), or a version of the stream in question. */
export type Moment = { readonly position: bigint } | { readonly time: string } | { readonly version: number };

/** A stretch of history; both ends belong to it. */
export type Range = { readonly from?: Exclude<Moment, { version: number }> | undefined; readonly to?: Exclude<Moment, { version: number }> | undefined };

type Dated = Pick<Recorded, 'position' | 'occurredAt' | 'version'>;

export const isAfter = (event: Dated, moment: Moment): boolean => {
  if ('position' in moment) return event.position > moment.position;
  if ('version' in moment) return event.version > moment.version;
  return Date.parse(event.occurredAt) > Date.parse(moment.time);
};

const isBefore = (event: Dated, moment: Exclude<Moment, { version: number }>): boolean =>
  'position' in moment ? event.position < moment.position : Date.parse(event.occurredAt) < Date.parse(moment.time);

export const isWithin = (event: Dated, { from, to }: Range): boolean => !(from && isBefore(event, from)) && !(to && isAfter(event, to));
