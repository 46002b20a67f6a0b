import { v7 } from 'uuid';

/** The public id prefixes of the wire contract. */
export const ID_PREFIXES = [
  'goal', 'run', 'call', 'appr', 'stg', 'inc', 'prom', 'con', 'int', 'art', 'mem', 'item', 'conv', 'prop', 'desk', 'key', 'site',
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

/** A new public id: prefix and a lower-case UUIDv7 without dashes, so ids of one kind sort by time. */
export const newId = (prefix: IdPrefix): string => `${prefix}_${v7().replaceAll('-', '')}`;

export const newEventId = (): string => v7();
