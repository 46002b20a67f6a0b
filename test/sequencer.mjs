import Sequencer from '@jest/test-sequencer';
import { basename } from 'node:path';

/** Short to read and long to run: they wait for processes that are killed and started again. */
const LONG = ['chaos.spec.ts', 'crash-steps.spec.ts', 'freeze-proof.spec.ts', 'start-settings.spec.ts', 'graceful-stop.spec.ts', 'idempotent-crash.spec.ts', 'crash.spec.ts'];
/** So far apart that they run beside files that compute, and not beside each other. */
const APART = 9;

/**
 * The runner begins with the largest files, because it knows no times on a fresh machine. Those that are long for another reason than their
 * size would come last, one worker with each and nothing left for the other: a minute of the run.
 */
export default class LongOnesEarly extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    const isLong = ({ path }) => LONG.includes(basename(path));
    const order = sorted.filter((test) => !isLong(test));
    sorted.filter(isLong).forEach((test, nr) => order.splice((nr + 1) * APART, 0, test));
    return order;
  }
}
