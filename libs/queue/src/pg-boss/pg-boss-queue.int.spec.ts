import { testDatabase } from '../../../../test/database';
import { pgBossWorld } from '../testing/pg-boss-world';
import { queueContract } from '../testing/queue.conformance';

queueContract('PostgreSQL', async (queues) => {
  const { drop, ...connection } = await testDatabase();
  let offset = 0;
  const now = () => new Date(Date.now() + offset);
  const world = pgBossWorld(connection, { queues, now });
  const queue = world.process();
  await queue.ready();
  return {
    queue, now,
    advance: async (ms) => {
      offset += ms;
      await world.pass(ms);
    },
    crash: () => world.crash(),
    close: async () => {
      await world.close();
      await drop();
    },
  };
});
