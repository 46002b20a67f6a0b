import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export type SyslogMessage = { readonly priority: number; readonly at: string; readonly app: string; readonly messageId: string; readonly text: string };

const MESSAGE = /^<(\d{1,3})>1 (\S+) \S+ (\S+) - (\S+) - ([\s\S]*)$/;

/** A receiver of RFC 5424 messages in octet-counted frames over TCP, which can go away and come back at the same port. */
export class SyslogReceiver {
  readonly received: SyslogMessage[] = [];
  private server: Server | undefined;
  private readonly sockets = new Set<Socket>();
  private port = 0;

  static async start(): Promise<SyslogReceiver> {
    const receiver = new SyslogReceiver();
    await receiver.open();
    return receiver;
  }

  /** For `outbound.allowHosts`. */
  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  async open(): Promise<void> {
    const server = createServer((socket) => this.take(socket));
    await new Promise<void>((ready) => server.listen(this.port, '127.0.0.1', ready));
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
  }

  /** Breaks what is connected, as the end of its process does. */
  async close(): Promise<void> {
    for (const socket of this.sockets) socket.resetAndDestroy();
    const { server } = this;
    this.server = undefined;
    if (server) await new Promise((closed) => server.close(closed));
  }

  private take(socket: Socket) {
    const chunks: Buffer[] = [];
    this.sockets.add(socket);
    socket
      .on('error', () => undefined)
      .on('close', () => this.sockets.delete(socket))
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => this.received.push(...framesOf(Buffer.concat(chunks)).map(messageOf)));
  }
}

const framesOf = (bytes: Buffer): string[] => {
  if (bytes.length === 0) return [];
  const space = bytes.indexOf(' ');
  const end = space + 1 + Number(bytes.subarray(0, space).toString('latin1'));
  if (!(end <= bytes.length)) throw new Error(`Not a whole frame: ${bytes.toString()}`);
  return [bytes.subarray(space + 1, end).toString(), ...framesOf(bytes.subarray(end))];
};

const messageOf = (frame: string): SyslogMessage => {
  const [, priority, at, app, messageId, text] = MESSAGE.exec(frame) ?? [];
  if (text === undefined) throw new Error(`Not a message of RFC 5424: ${frame}`);
  return { priority: Number(priority), at: at!, app: app!, messageId: messageId!, text };
};
