import { afterAll, beforeAll, describe } from '@jest/globals';
import { queue } from '../queues';
import { deadLetterContract } from './dead-letters.conformance';
import { retryContract } from './retries.conformance';
import { scheduleContract } from './schedules.conformance';
import { stopContract } from './stopping.conformance';
import { workContract } from './working.conformance';
import type { OpenQueue, QueueUnderTest, World } from './world';

const NAMES = Array.from({ length: 24 }, (_, n) => `spec-${String(n).padStart(2, '0')}`);

/** What every adapter of the port promises. An adapter proves itself by one call of this function. */
export const queueContract = (name: string, open: OpenQueue) =>
  describe(`The queue contract: ${name}`, () => {
    let opened: QueueUnderTest;
    const free = [...NAMES];
    beforeAll(async () => {
      opened = await open(NAMES.map((each) => queue(each)));
    });
    afterAll(() => opened.close());
    const world: World = { opened: () => opened, open, newQueue: () => free.shift()! };

    workContract(world);
    retryContract(world);
    deadLetterContract(world);
    scheduleContract(world);
    stopContract(world);
  });
