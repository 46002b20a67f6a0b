import { describe, expect, it } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';
import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { Public } from './access';
import { KnownKeys, startHttp } from './testing';

const gates = new EventEmitter();

@Public()
@Controller('probe')
class Probe {
  @Get() async get() {
    const go = once(gates, 'go');
    gates.emit('executing');
    await go;
    return { data: 'done', position: '0' };
  }
}

const open = async (url: string) => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
};

describe('A server that stops', () => {
  it('waits for no connection that asks nothing', async () => {
    const http = await startHttp({ controllers: [Probe] }, { authenticator: new KnownKeys({}) });
    const silent = await open(http.url);
    const half = await open(http.url);
    half.write('GET /api/v1/probe HTTP/1.1\r\nHost:');
    // A connection may be reset, which is an error to the socket and the end of it.
    const closed = [silent, half].map((socket) => new Promise((settle) => socket.on('error', () => undefined).once('close', settle)));
    await http.close();
    await Promise.all(closed);
  });

  it('finishes the requests in flight', async () => {
    const http = await startHttp({ controllers: [Probe] }, { authenticator: new KnownKeys({}) });
    const executing = once(gates, 'executing');
    const answer = http.request('/api/v1/probe');
    await executing;
    const closed = http.close();
    gates.emit('go');
    expect([(await answer).status, await (await answer).json()]).toEqual([200, { data: 'done', position: '0' }]);
    await closed;
  });
});
