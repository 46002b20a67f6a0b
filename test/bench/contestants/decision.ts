import type { DoorInputs } from '@app/tool-calls/contract';
import type { LiveRun, RunEvent } from '@app/runs/contract';
import type { GovernanceEvent, Site } from '@app/governance/contract';
import { childSettings, serve } from '../child.ts';
import { product } from '../product.ts';
import { event, runOpening, SITES } from '../stories.ts';

/** The door's decision by itself: pure, in memory, on a site with many rules and many grants, of which none but the last rule speaks. */
const { dist } = childSettings();
const { decideToolCall } = await product(dist).toolCalls();
const { governance, toolOf } = await product(dist).governance();
const { run } = await product(dist).runs();
const { matchesPattern } = await product(dist).jsonSchema();

const POLICIES = 100;
const GRANTS = 200;
const SITE = SITES[0]!;
const ROLE = 'Merchandiser';
const CAPABILITY = 'items:update';
const ARGUMENTS = {
  collection: 'products',
  id: 'item_01a22c40065472c2a07acd94cc700500',
  data: { title: 'Trail shoe no. 4711', price: 89, stock: 40 },
};

/** What an operator writes: a fifth is about other tools, a fifth about other roles; the others have to look into the arguments. */
const rule = (n: number) => {
  const last = n === POLICIES - 1;
  const conditions = [
    { tool: `importFeed${n}` },
    { role: `Role${n}` },
    { tool: 'updateItem', arguments: [{ path: '/data/price', gt: 10_000 + n }] },
    { tool: 'updateItem', arguments: [{ path: '/collection', in: [`orders${n}`, `invoices${n}`] }] },
    { tool: 'updateItem', arguments: [{ path: '/data/title', matches: `^Recalled ${n}\\b` }] },
  ];
  return {
    name: `rule ${n}`,
    when: last ? { tool: 'updateItem' } : conditions[n % conditions.length],
    then: { do: last ? 'allow' : 'ask' },
    mode: 'enforce',
  };
};

const site = [
  event('SiteCreated', { siteId: SITE, name: SITE }),
  event('ToolRegistered', { tool: (event('ToolRegistered', {}).data as { tool: object }).tool }),
  event('RoleDefined', { role: { name: ROLE, description: '', capabilities: [CAPABILITY] } }),
  event('PolicyChanged', { rules: Array.from({ length: POLICIES }, (_, n) => rule(n)) }),
  ...Array.from({ length: GRANTS }, (_, n) =>
    event('AutonomyGranted', {
      agentRole: n === GRANTS - 1 ? ROLE : `Role${n}`,
      capability: CAPABILITY,
      level: 3,
      from: null,
      expiresAt: null,
      grantedBy: 'key_ada',
    }),
  ),
].reduce((state, each) => governance.evolve(state, each as unknown as GovernanceEvent), governance.initial) as Site;
const registered = toolOf(site, Object.keys(site.tools)[0]!)!;
const tool = {
  ...registered,
  name: 'updateItem',
  requiredCapabilities: [CAPABILITY],
  risk: 'write' as const,
  enabled: true,
  isDangerous: false,
};

const live = runOpening(SITE, { goalId: 'goal_bench', runId: 'run_bench' }, { agentRole: ROLE, capabilities: ['*'] }).reduce(
  (state, each) => run.evolve(state, each as unknown as RunEvent),
  run.initial,
) as LiveRun;

const { inputs } = event('ToolCallAuthorised', {}).data as { inputs: DoorInputs };
const now = new Date();
const decide = () =>
  decideToolCall({
    ...inputs,
    approved: false,
    capabilities: ['*'],
    run: live,
    site,
    tool,
    arguments: ARGUMENTS,
    now,
    matches: matchesPattern,
  });

const verdict = decide();
if (verdict.route !== 'execute' || verdict.policy !== `rule ${POLICIES - 1}` || verdict.autonomy !== 2)
  throw new Error(`The decision is another one: ${JSON.stringify(verdict)}`);

const BATCH = 100;

serve({
  decide: ({ warmupMs, roundMs }: { readonly warmupMs: number; readonly roundMs: number }) => {
    const until = (end: number) => {
      const each: number[] = [];
      for (let from = performance.now(); from < end;) {
        for (let n = 0; n < BATCH; n++) decide();
        const then = performance.now();
        each.push(((then - from) * 1000) / BATCH);
        from = then;
      }
      return each;
    };
    until(performance.now() + warmupMs);
    const micros = until(performance.now() + roundMs);
    return { perSecond: micros.reduce((sum, each) => sum + each, 0) / micros.length };
  },
});
