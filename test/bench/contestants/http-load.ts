import { serve } from '../child.ts';
import { closedLoop, percentilesOf, type LoopLoad } from '../closed-loop.ts';
import { HttpClient } from '../http-client.ts';
import { openLoop, type OpenLoad } from '../open-loop.ts';
import { callPath, DIRECT_PATH, NOTE, TOOLS, type Site } from '../protocol.ts';

/** The clients of a server, in one process of their own. */
const RUNS_PER_CLIENT = 16;
const STORIES = 5;
/** Enough for every round: what is measured is never a refusal. */
const BUDGET = { maxToolCalls: 1_000_000, timeoutMs: 604_800_000 };

/** Rules that look into the arguments of every decision and change none. */
const CANDIDATE = [
  { name: 'gifts', when: { tool: TOOLS.safe, arguments: [{ path: '/note', matches: '^gift' }] }, then: { do: 'ask' } },
  { name: 'discounts', when: { tool: TOOLS.dangerous, arguments: [{ path: '/note', matches: 'discount \\d+' }] }, then: { do: 'deny' } },
];

const openRun = async (client: HttpClient, { agentKey }: Site): Promise<string> => {
  const { data } = await client.send('POST', '/api/v1/agent/goals', agentKey, {
    title: 'Check prices',
    agentName: 'bench',
    budget: BUDGET,
  });
  return data['runId'] as string;
};

const executed = (status: unknown) => {
  if (status !== 'executed') throw new Error(`The call was not executed but ${String(status)}`);
};

const callOn = async (client: HttpClient, { agentKey }: Site, runId: string) =>
  executed((await client.send('POST', callPath(runId), agentKey, { tool: TOOLS.safe, arguments: NOTE })).data['status']);

const direct = async (client: HttpClient, { agentKey }: Site) =>
  executed((await client.send('POST', DIRECT_PATH, agentKey, { tool: TOOLS.safe, arguments: NOTE })).data['status']);

/** A dangerous call, a person's yes, and the call's outcome: two requests. */
const cycleOn = async (client: HttpClient, { agentKey, reviewerKey }: Site, runId: string) => {
  const { data: asked } = await client.send('POST', callPath(runId), agentKey, { tool: TOOLS.dangerous, arguments: NOTE });
  if (asked['status'] !== 'pending_approval') throw new Error(`The call does not wait but is ${String(asked['status'])}`);
  const { approvalId, actionDigest } = asked;
  const { data } = await client.send('POST', `/api/v1/agent/approvals/${String(approvalId)}/decide`, reviewerKey, {
    decision: 'approved',
    actionDigest,
  });
  executed((data['call'] as { status: string }).status);
};

type Target = { readonly site: Site; /** The bare server needs no run to be opened; any id will do. */ readonly bare?: boolean };
type BusyClient = { readonly client: HttpClient; readonly nextRun: () => string };

/** Clients stay from round to round, each with runs of its own that it takes in turn: no run grows much longer than an agent's would, and none is opened while it counts. */
const known = new Map<string, BusyClient[]>();
const clientsOf = async (target: Target, count: number): Promise<readonly BusyClient[]> => {
  const clients = known.get(target.site.url) ?? [];
  const more = await Promise.all(
    Array.from({ length: Math.max(0, count - clients.length) }, (_, n) => busyClient(target, clients.length + n)),
  );
  known.set(target.site.url, [...clients, ...more]);
  return [...clients, ...more];
};

const busyClient = async ({ site, bare }: Target, number: number): Promise<BusyClient> => {
  const client = new HttpClient(site.url);
  const runs: string[] = [];
  for (let n = 0; n < RUNS_PER_CLIENT; n++) runs.push(bare ? `run_${number}_${n}` : await openRun(client, site));
  let calls = 0;
  return { client, nextRun: () => runs[calls++ % runs.length]! };
};

/** Ways into a server of which any number of calls may be under way at once. */
const OPEN_CLIENTS = 32;

serve({
  /** Opens what `count` clients need. */
  prepare: async ({ clients, ...target }: Target & { readonly clients?: number }) =>
    void (await clientsOf(target, clients ?? OPEN_CLIENTS)),

  calls: async ({ load, ...target }: Target & { readonly load: LoopLoad }) => {
    const clients = await clientsOf(target, load.clients);
    return closedLoop(load, (number) => () => callOn(clients[number]!.client, target.site, clients[number]!.nextRun()));
  },

  cycles: async ({ load, ...target }: Target & { readonly load: LoopLoad }) => {
    const clients = await clientsOf(target, load.clients);
    return closedLoop(load, (number) => () => cycleOn(clients[number]!.client, target.site, clients[number]!.nextRun()));
  },

  steadyCalls: async ({ load, direct: isDirect, ...target }: Target & { readonly load: OpenLoad; readonly direct: boolean }) => {
    const clients = await clientsOf(target, OPEN_CLIENTS);
    return openLoop(load, (number) => {
      const { client, nextRun } = clients[number % OPEN_CLIENTS]!;
      return isDirect ? direct(client, target.site) : callOn(client, target.site, nextRun());
    });
  },

  /** One call after the other, on a given run or on new ones that are left after so many. */
  callsOnRun: async ({
    site,
    runId,
    perRun,
    load,
  }: {
    readonly site: Site;
    readonly runId?: string;
    readonly perRun: number;
    readonly load: LoopLoad;
  }) => {
    const { client } = (await clientsOf({ site }, 1))[0]!;
    let [run, calls] = [runId ?? (await openRun(client, site)), 0];
    const latencies: number[] = [];
    await closedLoop(load, () => async () => {
      if (runId === undefined && ++calls % perRun === 0) run = await openRun(client, site);
      const from = performance.now();
      await callOn(client, site, run);
      latencies.push(performance.now() - from);
    });
    const percentiles = percentilesOf(latencies);
    return { perSecond: percentiles.p50, ...percentiles };
  },

  /** What agents do: three safe calls, every fifth time one more that a person approves; then the run is complete. */
  stories: async (site: Site) => {
    const client = new HttpClient(site.url);
    const stories: { readonly runId: string; readonly goalId: string }[] = [];
    try {
      for (let n = 0; n < STORIES; n++) {
        const { data } = await client.send('POST', '/api/v1/agent/goals', site.agentKey, {
          title: 'Check prices',
          agentName: 'bench',
          budget: BUDGET,
        });
        const { runId, goalId } = data as { runId: string; goalId: string };
        for (let call = 0; call < 3; call++) await callOn(client, site, runId);
        if (n === STORIES - 1) await cycleOn(client, site, runId);
        await client.send('POST', `/api/v1/agent/runs/${runId}/complete`, site.agentKey, { result: { checked: 3 } });
        stories.push({ runId, goalId });
      }
    } finally {
      await client.close();
    }
    return stories;
  },

  backtest: async (site: Site) => {
    const client = new HttpClient(site.url);
    try {
      const from = performance.now();
      const { data, position } = await client.send('POST', '/api/v1/agent/replay/backtest', site.reviewerKey, {
        candidate: { policies: CANDIDATE },
      });
      const seconds = (performance.now() - from) / 1000;
      const { examined, differing } = data as { examined: number; differing: number };
      if (examined === 0 || differing !== 0) throw new Error(`The backtest examined ${examined} decisions, of which ${differing} differ`);
      return { perSecond: Number(BigInt.asIntN(53, BigInt(position!))) / seconds, seconds, decisionsPerSecond: examined / seconds };
    } finally {
      await client.close();
    }
  },
});
