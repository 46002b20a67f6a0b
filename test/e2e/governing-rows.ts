import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { takesNothing, type Row, type Rows, type World } from './command-rows';
import type { Body } from './server';

const UNKNOWN = 'unknown_00000000000000000000000000000000';
const onUnknown = (...more: string[]): Row['fails'] => () => [{ args: [UNKNOWN, ...more], code: 'FORBIDDEN' }];
/** What a given step made, for the arguments that follow it. */
const made: Record<string, string> = {};
const asked = async (path: string, body: unknown, { server }: World): Promise<Body> => (await server.admin('POST', path, body)).body.data as Body;
const newRun = (more: Body, world: World) => asked('agent/goals', { title: 'Work', agentName: 'robot', ...more }, world);
/** A deletion that waits for a person. */
const approval = (name: string) => async (world: World) => {
  const { runId } = await newRun({}, world);
  made[name] = (await asked(`agent/runs/${runId as string}/tool-calls`, { tool: 'deleteItem', arguments: { collection: 'products', id: await item(world) } }, world)).approvalId as string;
};
const item = async (world: World) => (await asked('items/products', { data: { sku: 'C-1', title: 'For the commands' } }, world)).id as string;
const staged = (name: string) => async (world: World) => {
  await world.server.admin('PUT', 'settings', { contentOs: { vetoWindow: true } });
  const { runId } = await newRun({ approvalPolicy: 'before_commit' }, world);
  made[name] = (await asked(`agent/runs/${runId as string}/tool-calls`, { tool: 'updateItem', arguments: { collection: 'products', id: await item(world), data: { title: 'Better' } } }, world)).stagingId as string;
};
/** A proposal that has been earned by one approved call. */
const promotion = async (world: World) => {
  await world.server.admin('PUT', 'settings', { promotion: { streak: 1, decided: 1, rate: 0 } });
  const task = { skillName: 'createItem', arguments: { collection: 'products', data: { sku: 'C-2', title: 'Earned' } } };
  const { result } = await newRun({ agentRole: 'Writer', approvalPolicy: 'before_execute', task }, world);
  await world.server.admin('POST', `agent/approvals/${result.approvalId as string}/decide`, { decision: 'approved' });
  made['promotion'] = (await asked('agent/autonomy/promotions/check', {}, world)).proposed[0] as string;
};

/** The commands of people who decide, and of those who look after goals and runs. They run in this order. */
export const GOVERNING: Rows = {
  'kill-switch kill': {
    args: () => ['role', 'Planner', '--reason', 'A drill'],
    fails: () => [{ args: ['run', UNKNOWN], code: 'FORBIDDEN' }, { args: ['planet'], code: 'USAGE' }, { args: ['role'], code: 'VALIDATION_FAILED' }],
  },
  'kill-switch status': takesNothing,
  'kill-switch lift': {
    given: async ({ server }) => void (made['freeze'] = (await server.admin('GET', 'agent/kill-switch')).body.data.active[0].freezeId as string),
    args: () => [made['freeze']!], fails: () => [{ args: [UNKNOWN], code: 'CONFLICT' }],
  },
  'users invite': {
    args: () => ['cleo@example.org', 'Cleo', '--capabilities', 'approvals:decide,items:read', '--roles', 'veto'],
    fails: () => [{ args: ['nowhere', 'Nobody'], code: 'VALIDATION_FAILED' }, { args: ['cleo@example.org'], code: 'USAGE' }],
  },
  'users list': {
    given: async ({ server }) => void (made['user'] = (await server.admin('GET', `users?minPosition=${await server.head()}`)).body.data.find(({ name }: Body) => name === 'Cleo').id as string),
    args: () => ['--status', 'invited'], fails: () => [{ args: ['--status', 'lost'], code: 'VALIDATION_FAILED' }],
  },
  'users remove': { args: () => [made['user']!], fails: onUnknown() },
  'subscriptions create': {
    args: () => ['Audit', '--webhook', 'https://hooks.example.org/audit', '--types', 'ItemCreated,ItemPatched', '--from', '1'],
    fails: () => [{ args: ['Audit'], code: 'USAGE' }, { args: ['Audit', '--nats', 'x', '--syslog', 'y'], code: 'USAGE' }, { args: ['Audit', '--webhook', 'hooks'], code: 'VALIDATION_FAILED' }],
  },
  'subscriptions list': {
    given: async ({ server }) => void (made['subscription'] = (await server.admin('GET', `cdc/subscriptions?minPosition=${await server.head()}`)).body.data[0].id as string),
    ...takesNothing,
  },
  'subscriptions status': { args: () => [made['subscription']!], fails: onUnknown() },
  'subscriptions replay': { args: () => [made['subscription']!, '1'], fails: () => [{ args: [UNKNOWN, '1'], code: 'FORBIDDEN' }, { args: [made['subscription']!, 'then'], code: 'VALIDATION_FAILED' }] },
  'subscriptions delete': { args: () => [made['subscription']!], fails: onUnknown() },
  'approvals list': { args: () => ['--run', UNKNOWN], fails: () => [{ args: ['--status', 'lost'], code: 'VALIDATION_FAILED' }] },
  'approvals decide': { given: approval('decided'), args: () => [made['decided']!, 'rejected', '--reason', 'No'], fails: () => [{ args: [UNKNOWN, 'approved'], code: 'FORBIDDEN' }, { args: [UNKNOWN, 'perhaps'], code: 'USAGE' }] },
  'approvals batch': {
    given: async (world) => {
      await approval('batched')(world);
      await writeFile(join(world.folder, 'decisions.json'), JSON.stringify([{ approvalId: made['batched'], decision: 'rejected', reason: 'No' }]));
      await writeFile(join(world.folder, 'unknown.json'), JSON.stringify({ decisions: [{ approvalId: UNKNOWN, decision: 'approved' }] }));
    },
    args: ({ folder }) => [join(folder, 'decisions.json')],
    fails: ({ folder }) => [
      { args: [join(folder, 'unknown.json')], code: undefined }, { args: [join(folder, 'none.json')], code: 'USAGE' }, { args: [join(folder, 'missing.json')], code: 'USAGE' },
    ],
  },
  'approvals answer': { given: approval('open'), args: () => [made['open']!, 'Why this one?'], fails: onUnknown('Why?') },
  'approvals extend': {
    args: () => [made['open']!, new Date(Date.now() + 30 * 24 * 3_600_000).toISOString()],
    fails: () => [{ args: [made['open']!, 'tomorrow'], code: 'VALIDATION_FAILED' }],
  },
  'approvals escalate': { args: () => [made['open']!, 'Large'], fails: onUnknown('Large') },
  'approvals delegate': {
    given: async ({ server }) => void (made['person'] = (await server.newKey({ name: 'Bea', kind: 'human', capabilities: ['approvals:decide'] })).id),
    args: () => [made['open']!, made['person']!, '--note', 'You know it'],
    fails: () => [{ args: [UNKNOWN, made['person']!], code: 'FORBIDDEN' }],
  },
  'staged list': { given: staged('vetoed'), args: () => [], fails: () => [{ args: ['--status', 'lost'], code: 'VALIDATION_FAILED' }] },
  'staged veto': { args: () => [made['vetoed']!, '--reason', 'Too loud'], fails: onUnknown() },
  'staged commit': { given: staged('committed'), args: () => [made['committed']!], fails: onUnknown() },
  'pins set': { given: async (world) => void (made['item'] = await item(world)), args: () => ['products', made['item']!, 'title', 'sku'], fails: () => [{ args: ['products', UNKNOWN, 'title'], code: 'FORBIDDEN' }] },
  'pins list': { args: () => ['products', made['item']!], fails: () => [{ args: ['products', UNKNOWN], code: 'FORBIDDEN' }, { args: ['products'], code: 'USAGE' }] },
  'pins release': { args: () => ['products', made['item']!, 'sku'], fails: () => [{ args: ['products', UNKNOWN], code: 'FORBIDDEN' }] },
  'promotions list': { given: promotion, args: () => [], fails: () => [{ args: ['--status', 'lost'], code: 'VALIDATION_FAILED' }] },
  'promotions check': takesNothing,
  'promotions decide': { args: () => [made['promotion']!, 'approved'], fails: onUnknown('rejected') },
  'goals list': { args: () => ['--status', 'running'], fails: () => [{ args: ['--status', 'lost'], code: 'VALIDATION_FAILED' }] },
  'goals cancel': { given: async (world) => void (made['goal'] = (await newRun({}, world)).goalId as string), args: () => [made['goal']!, '--reason', 'Over'], fails: onUnknown() },
  'runs list': { args: () => ['--status', 'running'], fails: () => [{ args: ['--status', 'lost'], code: 'VALIDATION_FAILED' }] },
  'runs cancel': { given: async (world) => void (made['run'] = (await newRun({}, world)).runId as string), args: () => [made['run']!], fails: onUnknown() },
  'runs retry': {
    given: async (world) => void (made['ended'] = (await newRun({ task: { skillName: 'listCollections', arguments: {} } }, world)).runId as string),
    args: () => [made['ended']!], fails: onUnknown(),
  },
  'intents list': {
    given: async (world) => {
      await world.server.admin('PUT', 'settings', { contentOs: { reconciler: true } });
      const rules = [{ type: 'field_constraint', field: 'title', minLength: 1 }];
      made['intent'] = (await asked('agent/intents', { name: 'Titles', collection: 'products', rules, schedule: '0 3 1 1 *' }, world)).id as string;
    },
    args: () => ['--collection', 'products'], fails: () => [{ args: ['--collection', 'No such name'], code: 'VALIDATION_FAILED' }],
  },
  'intents scan': { args: () => [made['intent']!], fails: onUnknown() },
  'intents pause': { args: () => [made['intent']!, '--reason', 'A drill'], fails: onUnknown() },
  'intents resume': { args: () => [made['intent']!], fails: onUnknown() },
  'flows list': {
    given: async (world) =>
      void (made['flow'] = (await asked('agent/flows', { name: 'Upkeep', trigger: { on: 'cron', expression: '0 3 1 1 *' }, operations: [{ do: 'trust-promote-check' }], capabilities: ['autonomy:write'] }, world)).id as string),
    ...takesNothing,
  },
  'flows run': { args: () => [made['flow']!], fails: onUnknown() },
  'artifacts list': {
    given: async (world) => void (made['artifact'] = (await asked('agent/artifacts', { type: 'report', title: 'Stock', content: { summary: 'Enough' } }, world)).id as string),
    args: () => ['--type', 'report'], fails: () => [{ args: ['--status', 'lost'], code: 'VALIDATION_FAILED' }],
  },
  'artifacts publish': { args: () => [made['artifact']!], fails: onUnknown() },
  'artifacts rollback': { args: () => [made['artifact']!, '--reason', 'A drill'], fails: onUnknown() },
  'artifacts generate': { args: () => ['ecommerce', '--name', 'Shop'], fails: () => [{ args: ['blog'], code: 'VALIDATION_FAILED' }] },
  forget: {
    given: async (world) => void (made['memory'] = (await asked('agent/memory', { content: 'In confidence' }, world)).id as string),
    args: () => [made['memory']!], fails: () => [{ args: ['key_ada'], code: 'VALIDATION_FAILED' }],
  },
};
