import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Executor } from '@app/event-store';
import { governance, toolOf } from '@app/governance/contract';
import { covers, missing, reject, type Rejected } from '@app/kernel';
import { capabilitiesOf, principal } from '@app/sites/contract';
import { Boxes } from './boxes';
import { CallWatch } from './call-watch';
import { WorkerCallTable, type CallKey, type Lease, type LeaseAnswer } from './worker-call-table';

export type Worker = { readonly siteId: string; readonly id: string };
export type TakenCall = CallKey & { readonly tool: string; readonly arguments: unknown; readonly leaseId: string; readonly leaseUntil: string; readonly leaseMs: number };
export type Told<T> = { readonly ok: true; readonly data: T } | Rejected;

/** Where the workers of this process's sites are served. */
@Injectable()
export class WorkerDesk {
  constructor(
    private readonly executor: Executor,
    private readonly table: WorkerCallTable,
    private readonly watch: CallWatch,
    private readonly boxes: Boxes,
  ) {}

  /** A call of one of the tools, at once or as soon as there is one; null when the signal came first. `unsealed`: none that holds a secret. */
  async take({ siteId, id }: Worker, tools: readonly string[], now: () => Date, signal: AbortSignal, unsealed = false): Promise<Told<TakenCall | null>> {
    for (;;) {
      // Anew each time: what a worker may do can change while it waits.
      const refused = await this.refusal(siteId, id, tools, now());
      if (refused) return refused;
      const leaseId = `lease_${randomUUID().replaceAll('-', '')}`;
      const taken = await this.table.take(siteId, tools, id, leaseId, unsealed);
      if (taken) {
        const { input, leaseUntil, ...call } = taken;
        const opened = await this.boxes.open(taken, input);
        if (opened.ok) return { ok: true, data: { ...call, arguments: opened.value, leaseUntil: leaseUntil.toISOString() } };
        await this.table.settle({ leaseId, siteId, worker: id }, 'failed', await this.boxes.close(taken, siteId, 'The arguments of this call can no longer be read.'));
        continue;
      }
      if (signal.aborted) return { ok: true, data: null };
      await this.watch.offered(siteId, new Set(tools), signal);
      if (signal.aborted) return { ok: true, data: null };
    }
  }

  async giveBack(worker: Worker, leaseId: string): Promise<void> {
    await this.table.giveBack(leaseOf(worker, leaseId));
    this.watch.look();
  }

  async renew(worker: Worker, leaseId: string): Promise<Told<{ readonly leaseId: string; readonly leaseUntil: string; readonly leaseMs: number }>> {
    const renewed = heldOr(await this.table.renew(leaseOf(worker, leaseId)), leaseId);
    return renewed.ok ? { ok: true, data: { leaseId, leaseUntil: renewed.data.leaseUntil.toISOString(), leaseMs: renewed.data.leaseMs } } : renewed;
  }

  /** What a worker says counts while it holds the lease; the call is settled in the log by the process that waits for it. */
  async settle(worker: Worker, leaseId: string, state: 'executed' | 'failed', outcome: unknown): Promise<Told<CallKey>> {
    const lease = leaseOf(worker, leaseId);
    const key = await this.table.keyOf(lease);
    if (!key) return missing();
    const settled = heldOr(await this.table.settle(lease, state, await this.boxes.close(key, worker.siteId, outcome)), leaseId);
    this.watch.look();
    return settled;
  }

  /** Whoever carries a tool out sees its arguments and acts in its name, so it must hold what the tool requires. */
  private async refusal(siteId: string, id: string, tools: readonly string[], now: Date): Promise<Rejected | undefined> {
    const [{ state: site }, { state }] = [await this.executor.current(governance, siteId), await this.executor.current(principal, id)];
    const isAdmin = state.status === 'known' && state.principal.roles.includes('admin');
    const held = capabilitiesOf(state, now);
    if (!isAdmin && !covers(held, 'worker:take')) return reject('forbidden', 'FORBIDDEN', 'This needs the capability worker:take.');
    const refused = tools.filter((name) => {
      const tool = toolOf(site, name);
      return tool?.kind !== 'worker' || !(isAdmin || tool.requiredCapabilities.every((wanted) => covers(held, wanted)));
    });
    return refused.length === 0 ? undefined : reject('forbidden', 'FORBIDDEN', 'This key may not carry out these tools: each must be of kind worker, and the key must hold what it requires.', { tools: refused });
  }
}

const leaseOf = ({ siteId, id }: Worker, leaseId: string): Lease => ({ leaseId, siteId, worker: id });

const heldOr = <T>(answer: LeaseAnswer<T>, leaseId: string): Told<T> => {
  if (answer === undefined) return missing();
  return answer === 'ended' ? reject('conflict', 'CONFLICT', 'This lease has ended, and what comes now is too late: drop the call and poll for the next one.', { leaseId }) : { ok: true, data: answer.held };
};
