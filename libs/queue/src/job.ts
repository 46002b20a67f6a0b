import { reject, type Rejected } from '@app/kernel';

export type Job<Payload = unknown> = {
  /** As it was enqueued. A job may come twice and in any order, so what a handler does must be repeatable under this id. */
  readonly id: string;
  readonly queue: string;
  readonly payload: Payload;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** This attempt is the last one: if it fails the job becomes a dead letter. */
  readonly last: boolean;
  /** Aborted when the job is no longer this process's: its claim is lost, its time is up, or the process stops and cannot wait any longer. */
  readonly signal: AbortSignal;
};

/** Settles the job: done when it resolves, failed when it rejects. */
export type JobHandler<Payload = unknown> = (job: Job<Payload>) => Promise<void>;

/** Jobs carry ids, not documents: 256 kB is far above what one needs and far below what would slow the database down. */
export const MOST_PAYLOAD_BYTES = 262_144;

/** The payload as text, or why it cannot be a job. Text also keeps what `jsonb` cannot hold, such as U+0000. */
export const encodeJob = (id: string, payload: unknown): { readonly ok: true; readonly text: string } | Rejected => {
  if (!/^[\x21-\x7e]{1,200}$/.test(id)) return reject('invalid', 'VALIDATION_FAILED', 'A job id has 1 to 200 printable ASCII characters and no blank.', { id });
  const text = JSON.stringify(payload ?? null) as string | undefined;
  if (text === undefined) return reject('invalid', 'VALIDATION_FAILED', 'A job payload is JSON.', { id });
  const bytes = Buffer.byteLength(text);
  if (bytes <= MOST_PAYLOAD_BYTES) return { ok: true, text };
  return reject('invalid', 'PAYLOAD_TOO_LARGE', `A job payload has at most ${MOST_PAYLOAD_BYTES} bytes.`, { id, bytes });
};

const MOST_ERROR_CHARACTERS = 2_000;

/** What is kept of a failure: the sentence, without a stack and without what the database refuses to store. */
export const sentenceOf = (error: unknown): string => {
  const said = error !== null && typeof error === 'object' && 'message' in error ? String(error.message) : String(error);
  return said.slice(0, MOST_ERROR_CHARACTERS).replaceAll('\u0000', '').toWellFormed() || 'It failed and did not say why.';
};
