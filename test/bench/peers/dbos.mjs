import { DBOS } from '@dbos-inc/dbos-sdk';
import { childSettings, serve } from '../child.ts';
import { closedLoop } from '../closed-loop.ts';

/** DBOS: a durable workflow that decides, waits for a message, and acts. It is started, told the decision and awaited in its own process, without HTTP. */
const { host, port, user, database } = childSettings().connection;
const WAIT_SECONDS = 60;

DBOS.setConfig({
  name: 'bench',
  systemDatabaseUrl: `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
  logLevel: 'error',
  runAdminServer: false,
});
const governed = DBOS.registerWorkflow(
  async () => {
    await DBOS.runStep(async () => ({ decision: 'ask' }), { name: 'decide' });
    const answer = await DBOS.recv('decision', { timeoutSeconds: WAIT_SECONDS });
    return DBOS.runStep(async () => ({ done: answer.approved }), { name: 'act' });
  },
  { name: 'governed' },
);
await DBOS.launch();

serve({
  cycles: (load) =>
    closedLoop(load, () => async () => {
      const handle = await DBOS.startWorkflow(governed)();
      await DBOS.send(handle.workflowID, { approved: true }, 'decision');
      const { done } = await handle.getResult();
      if (!done) throw new Error('The workflow did not act');
    }),
});
