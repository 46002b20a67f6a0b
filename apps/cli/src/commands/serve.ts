import { Harness } from '@app/sdk';
import { Command } from 'commander';
import type { Runner, Session } from '../session';
import { startServer, type ServerProcess } from '../server-process';

export const serveCommand = (run: Runner): Command =>
  new Command('serve').description('start the server; it reads its settings from the environment').action(
    run(async (session) => {
      const server = startServer(session.terminal.env, session.json ? 'stderr' : 'inherit');
      const stop = () => server.stop();
      session.terminal.signal.addEventListener('abort', stop);
      if (session.json) await announce(session, server);
      const { code, signal } = await server.exited;
      session.terminal.signal.removeEventListener('abort', stop);
      if (session.terminal.signal.aborted && signal !== null) return 0;
      return code ?? 1;
    }),
  );

/** Scripts get one document, once the server answers; a server that ends before that is reported as a failure. */
const announce = async (session: Session, server: ServerProcess): Promise<void> => {
  const { env, signal } = session.terminal;
  const url = `http://${env['HOST'] ?? '127.0.0.1'}:${env['PORT'] ?? '4600'}`;
  const ready = await server.untilReady(new Harness({ url, key: '' }).health, signal);
  if (ready) session.print({ ready: true, url, pid: server.pid }, '');
  else if (!signal.aborted) throw new Error('The server ended before it was ready; its log is on stderr');
};
