import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import type { Principal } from '@app/kernel';
import { compiled } from './compiled';

/** Who calls what, under which roles: one run for each role named. `alsoOpens`: runs of the first role are opened all the while. */
export type Round = {
  readonly principal: Principal;
  readonly siteId: string;
  readonly call: { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> };
  readonly inScope: readonly string[];
  readonly outOfScope: readonly string[];
  readonly alsoOpens: boolean;
};
/** What came of a round. `stale`: appends refused because a guard had moved. */
export type Tally = { readonly executed: number; readonly refused: number; readonly opened: number; readonly stale: number };
type Said = { readonly said: string } & Partial<Tally>;

const NOTHING: Tally = { executed: 0, refused: 0, opened: 0, stale: 0 };

/** Server processes on one database whose agents call tools as fast as they can. */
export class Callers {
  private constructor(private readonly children: readonly ChildProcess[]) {}

  /** Without guards the log takes whatever a process decided: what that looks like shows that the rounds would find it. */
  static async start(count: number, environment: Readonly<Record<string, string>>, guards: 'with guards' | 'without guards' = 'with guards'): Promise<Callers> {
    const folder = await compiled();
    const children = Array.from({ length: count }, () =>
      fork(join(import.meta.dirname, 'caller-process.mjs'), [folder, JSON.stringify(environment), guards], {
        execArgv: [], env: { PATH: process.env['PATH'], TMPDIR: tmpdir() }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      }),
    );
    const callers = new Callers(children);
    await callers.all('ready');
    return callers;
  }

  /** Everybody calls; once all of them are at full speed `change` happens; the round is over when nobody in scope gets on any more. */
  async round(given: Round, change: () => Promise<unknown>): Promise<Tally> {
    await this.all('prepared', { say: 'prepare', ...given });
    const [warm, refused, over] = [this.all('warm'), this.all('refused'), this.all('over')];
    this.say({ say: 'go' });
    await warm;
    await change();
    await refused;
    this.say({ say: 'over' });
    return (await over).reduce<Tally>(
      (sum, { executed = 0, refused: no = 0, opened = 0, stale = 0 }) => ({ executed: sum.executed + executed, refused: sum.refused + no, opened: sum.opened + opened, stale: sum.stale + stale }), NOTHING,
    );
  }

  stop = () => Promise.all(this.children.map((child) => new Promise((done) => (child.exitCode === null && child.signalCode === null ? child.once('exit', done) && child.kill('SIGKILL') : done(null)))));

  private say = (message: object) => this.children.forEach((child) => child.send(message));

  /** Until every process has said it; one that ends instead is a failure. */
  private all(said: string, message?: object): Promise<readonly Said[]> {
    const heard = this.children.map((child) => new Promise<Said>((settle, fail) => {
      const end = () => fail(new Error(`A caller ended before it was ${said}`));
      const listen = (one: Said) => {
        if (one.said !== said) return;
        child.off('message', listen).off('exit', end);
        settle(one);
      };
      child.on('message', listen).once('exit', end);
    }));
    if (message) this.say(message);
    return Promise.all(heard);
  }
}
