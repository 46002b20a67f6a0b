/** What a field costs, as its definition says: a page of records, a call for one answer, or one record more for each node it stands on. */
export type FieldCost = 'page' | 'call' | 'record';

/** Extensions of a field that costs. */
export const costing = (cost: FieldCost) => ({ cost });

/** What a field costs; undefined when it is a part of what has been paid for. */
export const costOf = (extensions: object | undefined): FieldCost | undefined => (extensions as { readonly cost?: FieldCost } | undefined)?.cost;

/** Points of a call to a route, of one record, and of a hundred fields of an answer. */
export const CALL_POINTS = 10;
export const RECORD_POINTS = 1;
export const FIELD_POINTS = 0.01;

export const DEFAULT_PAGE = 50;
export const LARGEST_PAGE = 200;

export type Limits = {
  /** Fields inside each other. */
  readonly depth: number;
  /** Points of one operation. */
  readonly cost: number;
  /** Words and signs of a document. */
  readonly tokens: number;
  /** Subscriptions of one connection. */
  readonly subscriptions: number;
  /** How long a subscriber who has been let in is told things before the door is asked again. */
  readonly trustedMs: number;
};

export const LIMITS: Limits = { depth: 12, cost: 2_000, tokens: 2_000, subscriptions: 20, trustedMs: 10_000 };
