import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type NatsServer = { readonly url: string; stop(): Promise<void> };

const START_MS = 10_000;

/** A broker of its own with JetStream on a free port; undefined where the program is not installed. */
export const startNatsServer = async (): Promise<NatsServer | undefined> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-nats-'));
  const server: ChildProcess = spawn('nats-server', ['-js', '-sd', folder, '-a', '127.0.0.1', '-p', '-1', '--ports_file_dir', folder], { stdio: 'ignore' });
  let ended = false;
  const end = new Promise<void>((done) => {
    const left = () => {
      ended = true;
      done();
    };
    server.once('error', left).once('exit', left);
  });
  for (const until = performance.now() + START_MS; !ended && performance.now() < until; await sleep(10)) {
    const url = addressIn(folder);
    if (url === undefined) continue;
    return {
      url,
      stop: async () => {
        server.kill('SIGTERM');
        await end;
        rmSync(folder, { recursive: true, force: true });
      },
    };
  }
  server.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  return undefined;
};

/** The server tells its address when it is ready; a half-written file ends otherwise. */
const addressIn = (folder: string): string | undefined => {
  const file = existsSync(folder) ? readdirSync(folder).find((name) => name.endsWith('.ports')) : undefined;
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trimEnd();
  return text.endsWith('}') ? (JSON.parse(text) as { nats: [string] }).nats[0] : undefined;
};
