import { Command } from 'commander';
import type { Runner, Session } from '../session';
import { startServer, type ServerProcess } from '../server-process';

export const serveCommand = (run: Runner): Command =>
  new Command('serve').description('start the server; it reads its settings from the environment').action(
    run(async (session) => {
      const { env, err, signal: stopping } = session.terminal;
      const server = startServer(env, session.json ? err : undefined);
      const stop = () => server.stop();
      stopping.addEventListener('abort', stop);
      if (session.json) await announce(session, server);
      const { code, signal } = await server.exited;
      stopping.removeEventListener('abort', stop);
      if (stopping.aborted && signal !== null) return 0;
      return code ?? 1;
    }),
  );

/** Scripts get one document, once the server answers; a server that ends before that is reported as a failure. */
const announce = async (session: Session, server: ServerProcess): Promise<void> => {
  const { signal } = session.terminal;
  const url = await server.untilReady(signal);
  if (url === undefined && !signal.aborted) throw new Error('The server ended before it was ready; its log is on stderr');
  session.print({ ready: url !== undefined, url: url ?? null, pid: server.pid }, '');
};
