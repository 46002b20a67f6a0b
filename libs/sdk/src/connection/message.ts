import { HarnessError } from './error';
import type { StreamMessage } from './event-stream';

/** The JSON of a stream message. */
export const parsed = <T>({ data }: StreamMessage): T => {
  try {
    return JSON.parse(data) as T;
  } catch (cause) {
    throw new HarnessError({ status: 0, code: 'UNEXPECTED_ANSWER', detail: 'A message of the stream is not JSON', cause });
  }
};
