/** Who acted. `id` is the principal's id; `role` is the agent role the principal acted under, when it had one. */
export type Actor = { readonly kind: 'human' | 'agent' | 'service'; readonly id: string; readonly role?: string; /** Whose key it is, when it belongs to a user. */ readonly userId?: string };

/** A fact, named in the past tense. */
export type Event<Type extends string = string, Data = unknown> = { readonly type: Type; readonly data: Readonly<Data> };

/** What is known about an event besides the fact itself. `commandId` names the command that caused it. */
export type Metadata = {
  readonly actor: Actor;
  readonly correlationId: string;
  readonly causationId?: string;
  readonly commandId: string;
  readonly traceparent?: string;
  readonly runId?: string;
  readonly goalId?: string;
};

/**
 * An event as the log holds it. `position` is dense over the whole log and in commit order; `version` is dense per stream, from 1.
 * `chain.leaf` is the hex sha256 of the event's canonical JSON; `chain.batch` is the first position of the commit batch it belongs to.
 */
export type Recorded<E extends Event = Event> = E & {
  readonly position: bigint;
  readonly streamId: string;
  readonly version: number;
  readonly eventId: string;
  readonly schemaVersion: number;
  readonly siteId: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly occurredAt: string;
  readonly metadata: Metadata;
  readonly chain: { readonly leaf: string; readonly batch: bigint };
  /** Some of its data was sealed under a key that is gone, and holds placeholders. */
  readonly forgotten?: true;
};

/** The part of a stream id before its first dash. */
export const categoryOf = (streamId: string) => streamId.slice(0, streamId.indexOf('-'));

/** The part of a stream id after its first dash. */
export const idOf = (streamId: string) => streamId.slice(streamId.indexOf('-') + 1);

export const unreachable = (value: never): never => {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`);
};
