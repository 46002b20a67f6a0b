/** An answer as it left the server. `body` is empty for an answer without one. */
export type RecordedAnswer = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** `scope` says who asked what under which key, `fingerprint` what the request contained; both are digests. `path` names what it was about. */
export type IdempotentRequest = { readonly scope: string; readonly fingerprint: string; readonly path?: string };

/** `owner` is this attempt; `commandId` is shared by every attempt under the key; `repeated` tells that an earlier attempt may have acted. */
export type Reservation = { readonly scope: string; readonly owner: string; readonly commandId: string; readonly repeated: boolean };

/** What a key stands for at the moment it is asked about. */
export type Claim =
  | { readonly state: 'reserved'; readonly reservation: Reservation }
  | { readonly state: 'answered'; readonly answer: RecordedAnswer }
  | { readonly state: 'other-request' }
  | { readonly state: 'in-progress' };

/** Keeps idempotency keys and the answers given under them. Every method rejects when the database cannot be reached. */
export abstract class IdempotencyStore {
  /** Milliseconds between two renewals of a running reservation. */
  abstract readonly renewEveryMs: number;
  /** Reserves the key, or tells why not; takes over a reservation whose lease has run out, with the command id of the first attempt. */
  abstract claim(request: IdempotentRequest): Promise<Claim>;
  /** Records the answer and returns the one that counts: the first recorded under this command id. */
  abstract complete(reservation: Reservation, answer: RecordedAnswer): Promise<RecordedAnswer>;
  /** Forgets the key: nothing was done under it. */
  abstract forget(reservation: Reservation): Promise<void>;
  /** Lets go without an answer: the next request with this key executes again under the same command id. */
  abstract release(reservation: Reservation): Promise<void>;
  /** Keeps a running reservation from being taken over. */
  abstract renew(reservation: Reservation): Promise<void>;
  /** Resolves when the key may have changed, at the latest after `ms` or when the signal aborts. */
  abstract changed(scope: string, ms: number, signal: AbortSignal): Promise<void>;
  /**
   * Takes back what was answered about these records, because it may hold what is to be forgotten: a repeat is told so. Answers at the paths in
   * `keeping` only tell that it was done and stay, so that the request that forgets can be repeated like any other. Answers how many.
   */
  abstract withdraw(ids: readonly string[], keeping?: readonly string[]): Promise<number>;
  /** Removes some expired keys; answers how many. */
  abstract sweep(): Promise<number>;
}
