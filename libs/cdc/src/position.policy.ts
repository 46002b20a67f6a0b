import { reject, type Rejected } from '@app/kernel';

/** Behind the end of the log nothing can be promised: what comes there is not known to be anybody's next event. */
export const positionRefusal = (fromPosition: string, head: bigint): Rejected | undefined =>
  BigInt(fromPosition) > head + 1n
    ? reject('invalid', 'VALIDATION_FAILED', `The log ends at position ${head}; a subscription begins at ${head + 1n} at the latest.`, {
        errors: [{ pointer: '/fromPosition', detail: `At most ${head + 1n}` }],
      })
    : undefined;
