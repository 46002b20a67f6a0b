import { afterEach, describe, expect, it } from '@jest/globals';
import { Processes } from './processes';

describe('Start', () => {
  const processes = new Processes();
  afterEach(() => processes.cleanUp());
  it('starts', async () => {
    const server = await processes.start();
    console.log(server.output());
    server.signal('SIGTERM'); 
    console.log(await server.exited, server.output());
  });
});
