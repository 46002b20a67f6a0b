export type EventActor = { readonly kind: string; readonly id: string; readonly role?: string };

/** One event of the log as the API shows it. Positions grow without gaps and pass 2^53, so they are text. */
export type LogEvent = {
  readonly position: string;
  readonly streamId: string;
  readonly version: number;
  readonly eventId: string;
  readonly type: string;
  readonly occurredAt: string;
  readonly actor: EventActor;
  readonly data: Readonly<Record<string, unknown>>;
};
