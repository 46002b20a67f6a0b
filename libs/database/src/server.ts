import { existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CLUSTER, forgetDeadServer, postmasterOf, recordedOptionsOf, statusOf, type Run } from './cluster';
import { EmbeddedPostgresError } from './embedded-postgres-error';
import { identityOf, isAlive, type ProcessIdentity } from './process-identity';
import { asRecordedOptions, asShellOptions, type Settings } from './settings';

/** Recovery after a crash replays up to `max_wal_size`; on a slow disk that is minutes, not seconds. */
const START_TIMEOUT_S = 300;
/** The last checkpoint writes what is dirty in `shared_buffers`. */
const STOP_TIMEOUT_S = 120;
const POLL_MS = 50;
const LOG = 'postgres.log';
const LOG_BYTES = 10 * 1024 * 1024;

/** Left by processes of a killed server, which end by themselves within moments. */
const PASSING = /lock file ".*" already exists|shared memory block .* is still in use|is another postmaster/;

/** One PostgreSQL server: a daemon of its own, so that a Ctrl-C in the terminal reaches the application first. */
export class Server {
  private readonly cluster: string;
  private readonly log: string;
  private postmaster: ProcessIdentity | undefined;

  constructor(
    private readonly home: string,
    private readonly socket: string,
    private readonly settings: Settings,
    private readonly run: Run,
  ) {
    this.cluster = join(home, CLUSTER);
    this.log = join(home, LOG);
  }

  /** Starts it, or takes over the one that a killed application left running, unless that runs with other settings. */
  async start(): Promise<void> {
    await this.untilReady();
    const pid = postmasterOf(this.cluster);
    this.postmaster = pid === undefined ? undefined : identityOf(pid);
  }

  /** Whether the process that `start` left running still lives. */
  isRunning = (): boolean => this.postmaster !== undefined && isAlive(this.postmaster);

  /**
   * Waits until it is down. Sessions that are still open are ended; a server that is already gone is no error. A second Ctrl-C ends the
   * `pg_ctl` that waits here, so it is asked again until there is nothing to stop.
   */
  async stop(): Promise<void> {
    const deadline = performance.now() + STOP_TIMEOUT_S * 1000;
    while (await answers(this.socket)) {
      try {
        await this.run('pg_ctl', ['stop', '-w', '-t', String(STOP_TIMEOUT_S), '-m', 'fast', '-D', CLUSTER]);
      } catch (error) {
        if (performance.now() > deadline) throw this.failure('did not stop', error);
        await setTimeout(POLL_MS);
      }
    }
  }

  private async untilReady(): Promise<void> {
    const deadline = performance.now() + START_TIMEOUT_S * 1000;
    for (let last: unknown; ; await setTimeout(POLL_MS)) {
      if (performance.now() > deadline) throw this.failure(`did not start within ${START_TIMEOUT_S} s`, last);
      if (!(await answers(this.socket))) {
        last = await this.launch();
        if (last === undefined) return;
      } else if (statusOf(this.cluster) === 'ready') {
        if (recordedOptionsOf(this.cluster)?.endsWith(asRecordedOptions(this.settings))) return;
        await this.stop();
      }
    }
  }

  /** Undefined when it runs; else the passing reason why it does not yet. */
  private async launch(): Promise<unknown> {
    forgetDeadServer(this.cluster, this.socket);
    rotate(this.log);
    const from = existsSync(this.log) ? statSync(this.log).size : 0;
    try {
      await this.run('pg_ctl', [
        'start',
        '-w',
        '-t',
        String(START_TIMEOUT_S),
        '-D',
        CLUSTER,
        '-l',
        LOG,
        '-o',
        asShellOptions(this.settings),
      ]);
      return undefined;
    } catch (error) {
      if (PASSING.test(textFrom(this.log, from))) return error;
      throw this.failure('did not start', error, textFrom(this.log, from));
    }
  }

  private failure(what: string, cause: unknown, log = textFrom(this.log, 0)) {
    return new EmbeddedPostgresError('failed', `PostgreSQL in ${this.home} ${what}. The end of its log:\n${log.slice(-2000) || 'empty'}`, {
      cause,
    });
  }
}

const answers = (socket: string) =>
  new Promise<boolean>((settle) => {
    const probe = connect(socket)
      .once('connect', () => {
        probe.destroy();
        settle(true);
      })
      .once('error', () => settle(false));
  });

const rotate = (log: string) => {
  if (existsSync(log) && statSync(log).size > LOG_BYTES) renameSync(log, `${log}.1`);
};

const textFrom = (file: string, bytes: number) => (existsSync(file) ? readFileSync(file).subarray(bytes).toString() : '');
