import { EventEmitter } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** `greets`: and is gone before it has answered. */
export type Manner = 'answers' | 'refuses' | 'greets' | 'keeps silent';

export type FakeBroker = {
  readonly address: string;
  /** Emits `attempt` with every connection that somebody opens. */
  readonly events: EventEmitter;
  readonly attempts: number;
  manner: Manner;
  /** Ends all connections. */
  drop(): void;
  close(): Promise<void>;
};

const GREETING = `INFO ${JSON.stringify({ server_id: 'FAKE', version: '2.9.10', proto: 1, headers: true, max_payload: 1_048_576 })}\r\n`;

/** Speaks as much of NATS as a connection needs, and misbehaves on demand at moments that a real server does not offer. */
export const fakeBroker = async (): Promise<FakeBroker> => {
  const events = new EventEmitter();
  const sockets = new Set<Socket>();
  let attempts = 0;
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    attempts++;
    if (broker.manner === 'refuses') socket.destroy();
    if (broker.manner === 'answers' || broker.manner === 'greets') socket.write(GREETING);
    socket.on('data', (bytes) => {
      if (broker.manner === 'greets') return void socket.destroy();
      if (broker.manner === 'answers') socket.write('PONG\r\n'.repeat(bytes.toString().split('PING\r\n').length - 1));
    });
    events.emit('attempt');
  });
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  const broker: FakeBroker = {
    address: `127.0.0.1:${(listener.address() as AddressInfo).port}`,
    events,
    get attempts() {
      return attempts;
    },
    manner: 'answers',
    drop: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      broker.drop();
      await new Promise((done) => listener.close(done));
    },
  };
  return broker;
};
