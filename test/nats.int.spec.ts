import { afterEach, describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { testNats, type TestNats } from './nats';

describe('NATS for tests', () => {
  let nats: TestNats | undefined;
  afterEach(() => nats?.stop());

  it('is a server of its own with JetStream', async () => {
    nats = await testNats();
    const connection = await connect({ servers: nats.url });
    await (await jetstreamManager(connection)).streams.add({ name: 'EVENTS', subjects: ['events.>'] });
    expect(await jetstream(connection).publish('events.one', 'first')).toMatchObject({ stream: 'EVENTS', seq: 1, duplicate: false });
    await connection.close();
  });
});
