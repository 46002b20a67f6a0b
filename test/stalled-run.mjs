import { readFileSync } from 'node:fs';

/** Longer than any one file takes on two busy cores: the longest needs two minutes on a quiet machine. */
const STALLED_MS = 8 * 60_000;

/**
 * A run in which no file has ended for a long time is told of by the names of the files that are under way, and its workers are killed: the
 * runner reports these files as failed and ends, where it would wait for ever.
 */
export default class StalledRun {
  running = new Set();
  timer;

  onRunStart() {
    this.wait();
  }

  onTestFileStart(test) {
    this.running.add(test.path);
  }

  onTestFileResult(test) {
    this.running.delete(test.path);
    this.wait();
  }

  onRunComplete() {
    clearTimeout(this.timer);
  }

  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      process.stdout.write(`\nNo file has ended for ${STALLED_MS / 60_000} minutes; under way:\n${[...this.running].join('\n')}\n`);
      for (const pid of workers()) process.kill(pid, 'SIGKILL');
      this.wait();
    }, STALLED_MS);
    this.timer.unref();
  }
}

/** The processes that this one has started to run files in. */
const workers = () =>
  readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('jest-worker'));
