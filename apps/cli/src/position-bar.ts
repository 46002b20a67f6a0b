import { SingleBar } from 'cli-progress';
import type { Terminal } from './terminal';

/** Hundredths of a percent, so that a bar needs no numbers beyond 2^53. */
const FULL = 10_000;
const share = (position: string, head: string): number => {
  const [at, end] = [BigInt(position), BigInt(head)];
  return end === 0n || at >= end ? FULL : Number((at * BigInt(FULL)) / end);
};

export type PositionBar = { readonly reach: (position: string, head: string) => void; readonly stop: (isDone: boolean) => void };

/** A progress bar over log positions, beside the result. */
export const positionBar = ({ bars }: Pick<Terminal, 'bars'>, what: string): PositionBar => {
  const bar = new SingleBar({ format: `${what} {bar} {percentage}%`, stream: bars, noTTYOutput: true, notTTYSchedule: 2_000, barsize: 30, hideCursor: true });
  bar.start(FULL, 0);
  return {
    reach: (position, head) => bar.update(share(position, head)),
    stop: (isDone) => {
      if (isDone) bar.update(FULL);
      bar.stop();
    },
  };
};
