import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';

export type TcpProxy = {
  readonly url: string;
  /** Closes all connections and takes no new ones. */
  cut(): void;
  /** Swallows everything in both directions without closing anything. */
  silence(): void;
  /** Takes new connections again; what was silent stays so. */
  mend(): void;
  close(): Promise<void>;
};

/** Stands between a client and a server, and can fail in the ways of a network. */
export const tcpProxy = async (target: string): Promise<TcpProxy> => {
  const { hostname, port } = new URL(target);
  const links = new Set<{ client: Socket; server: Socket; silent: boolean }>();
  let open = true;
  const listener = createServer((client) => {
    if (!open) return void client.destroy();
    const server = createConnection(Number(port), hostname);
    const link = { client, server, silent: false };
    links.add(link);
    for (const [from, to] of [[client, server], [server, client]] as const) {
      from.on('data', (bytes) => link.silent || to.write(bytes));
      from.on('error', () => undefined).on('close', () => {
        links.delete(link);
        to.destroy();
      });
    }
  });
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  const cut = () => {
    open = false;
    for (const { client, server } of links) {
      client.destroy();
      server.destroy();
    }
  };
  return {
    url: `nats://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    cut,
    silence: () => { for (const link of links) link.silent = true; },
    mend: () => { open = true; },
    close: async () => {
      cut();
      await new Promise((done) => listener.close(done));
    },
  };
};
