import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Link = { readonly application: string; readonly client: Socket; readonly server: Socket; silent: boolean };

/** Links are chosen by the application name that the client sends in its first message. */
export type SocketProxy = {
  readonly host: string;
  readonly port: number;
  /** Swallows everything in both directions from now on, without closing: what a cable pulled out somewhere looks like. */
  silence(application: string): void;
  /** Swallows answers, lets questions through. */
  muteAnswers(application: string): void;
  /** Closes the client's side only; the server's process goes on with what it has. */
  cut(application: string): void;
  /** Bytes that came from the server for muted links. */
  readonly muted: number;
  /** How many links were opened so far. */
  opened(application: string): number;
  close(): Promise<void>;
};

/** Stands between a client and the Unix socket of a PostgreSQL server. */
export const socketProxy = async (target: { readonly host: string; readonly port: number }): Promise<SocketProxy> => {
  const host = await mkdtemp(join(tmpdir(), 'pg-proxy-'));
  const links: Link[] = [];
  const mute = new Set<Link>();
  let muted = 0;
  const listener = createServer((client) => {
    const server = createConnection(join(target.host, `.s.PGSQL.${target.port}`));
    let link: Link | undefined;
    client.on('data', (bytes) => {
      if (!link) links.push((link = { application: applicationIn(bytes), client, server, silent: false }));
      if (!link.silent) server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (link && mute.has(link)) muted += bytes.length;
      else if (!link?.silent) client.write(bytes);
    });
    client.on('error', () => undefined).on('close', () => { if (!link?.silent && !(link && mute.has(link))) server.destroy(); });
    server.on('error', () => undefined).on('close', () => { if (!link?.silent) client.destroy(); });
  });
  await new Promise<void>((done) => listener.listen(join(host, `.s.PGSQL.${target.port}`), done));
  const of = (application: string) => links.filter((link) => link.application === application && !link.client.destroyed);
  return {
    host, port: target.port,
    silence: (application) => { for (const link of of(application)) link.silent = true; },
    muteAnswers: (application) => { for (const link of of(application)) mute.add(link); },
    cut: (application) => { for (const link of of(application)) link.client.destroy(); },
    get muted() { return muted; },
    opened: (application) => links.filter((link) => link.application === application).length,
    close: async () => {
      for (const { client, server } of links) { client.destroy(); server.destroy(); }
      await new Promise((done) => listener.close(done));
      await rm(host, { recursive: true, force: true });
    },
  };
};

/** The start-up message is a list of names and values, each ended by a zero byte. */
const applicationIn = (bytes: Buffer): string => {
  const words = bytes.toString('latin1').split('\0');
  return words[words.indexOf('application_name') + 1] ?? '';
};
