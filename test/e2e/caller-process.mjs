import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * A server process without HTTP: the real executor, door and log of the product, and agents that call tools as fast as they can. Started
 * with the folder of the compiled sources and the environment of a server; spoken to by messages, see `callers.ts`.
 */
const [folder, environment, withoutGuards] = process.argv.slice(2);
const unguarded = withoutGuards === 'without guards';
const load = (path) => import(pathToFileURL(join(folder, path)).href);
const { readConfig } = await load('apps/gateway/src/config.js');
const { openResources } = await load('apps/gateway/src/resources.js');
const { GatewayModule } = await load('apps/gateway/src/gateway.module.js');
const { Bus } = await load('libs/cqrs/src/index.js');
const { CreateGoal } = await load('libs/goals/src/create-goal/create-goal.command.js');
const { coreSkills } = await load('libs/skills/src/index.js');
const { RequestToolCall } = await load('libs/tool-calls/src/contract.js');

const config = readConfig(JSON.parse(environment));
const resources = await openResources(config);
const app = await NestFactory.createApplicationContext(GatewayModule.of(resources, config, coreSkills), { logger: false, abortOnError: false });
const bus = app.get(Bus);

/** Appends that the log refused because a guarded stream had moved. */
let stale = 0;
const append = resources.store.append.bind(resources.store);
resources.store.append = async (writes, guards, context) => {
  const result = await append(writes, unguarded ? [] : guards, context);
  if (!result.ok && result.kind === 'conflict' && /^(governance|principal)-/.test(result.streamId)) stale++;
  return result;
};

const REFUSALS_ENOUGH = 2;
const MOST_CALLS = unguarded ? 60 : Infinity;
const WARM_CALLS = 3;

const contextOf = ({ id, kind, siteId }) => ({ actor: { kind, id }, siteId, now: new Date(), correlationId: randomUUID(), commandId: randomUUID() });
const open = async ({ principal, siteId }, agentRole) => {
  const body = { title: 'Hammer', agentName: 'hammer', agentRole, execution: 'sync', approvalPolicy: 'none', priority: 0, budget: { maxToolCalls: 1_000_000, timeoutMs: 600_000 } };
  return bus.send(new CreateGoal(body, principal, () => contextOf({ ...principal, siteId })));
};

let round;

/** Calls on one run until it is refused often enough, or until the round is over. A process without guards may never be refused. */
const hammer = async (state, runId, inScope) => {
  const { principal, siteId, call } = state.given;
  for (let [refusals, calls] = [0, 0]; !state.over && refusals < REFUSALS_ENOUGH && calls < MOST_CALLS; calls++) {
    const answer = await bus.send(new RequestToolCall(runId, call, principal, contextOf({ ...principal, siteId })));
    if (answer.ok && answer.data.status === 'executed') {
      state.executed++;
      if (inScope && ++state.warm === WARM_CALLS) process.send({ said: 'warm' });
    } else if (answer.ok || answer.rejection.code === 'RUN_TERMINAL') {
      refusals++;
      state.refused++;
    } else throw new Error(JSON.stringify(answer.rejection));
  }
};

/** Opens runs in scope until one is refused, or until the round is over. */
const openRuns = async (state) => {
  while (!state.over) {
    const opened = await open(state.given, state.given.inScope[0]);
    if (opened.ok) state.opened++;
    else if (opened.rejection.code === 'FROZEN') return;
    else throw new Error(JSON.stringify(opened.rejection));
  }
};

const opened = async (given, roles) => {
  const outcomes = await Promise.all(roles.map((role) => open(given, role)));
  return outcomes.map((outcome) => {
    if (outcome.ok) return outcome.data.runId;
    throw new Error(JSON.stringify(outcome.rejection));
  });
};

const on = {
  prepare: async (given) => {
    round = { given, executed: 0, refused: 0, opened: 0, warm: 0, over: false, runs: await opened(given, given.inScope), others: await opened(given, given.outOfScope) };
    process.send({ said: 'prepared' });
  },
  go: async () => {
    const state = round;
    const others = state.others.map((runId) => hammer(state, runId, false));
    await Promise.all([...state.runs.map((runId) => hammer(state, runId, true)), ...(state.given.alsoOpens ? [openRuns(state)] : [])]);
    process.send({ said: 'refused' });
    await Promise.all(others);
    const { executed, refused, opened: more } = state;
    process.send({ said: 'over', executed, refused, opened: more, stale });
    stale = 0;
  },
  over: async () => void (round.over = true),
};

process.on('message', ({ say, ...given }) => {
  on[say](given).catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  });
});
process.send({ said: 'ready' });
