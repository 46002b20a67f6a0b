import { until } from '../e2e/machine';
import type { ServerProcess } from '../e2e/processes';

export type Memory = { readonly residentBytes: number; readonly heapBytes: number };

/** Looks into a server process that was started with `INSPECTED`: what it holds after a garbage collection, not what it has not thrown away yet. */
export const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

export const memoryOf = async (server: ServerProcess): Promise<Memory> => {
  const address = await until(() => /Debugger listening on (ws:\S+)/.exec(server.output())?.[1], () => 'the inspector of the server', 20_000);
  const socket = new WebSocket(address);
  await new Promise((open, fail) => {
    socket.addEventListener('open', open, { once: true });
    socket.addEventListener('error', () => fail(new Error('The inspector does not answer')), { once: true });
  });
  let id = 0;
  const ask = (method: string, params: object = {}) => {
    const mine = ++id;
    return new Promise<{ readonly result?: { readonly value?: string } }>((settle) => {
      const listen = ({ data }: MessageEvent) => {
        const said = JSON.parse(String(data)) as { readonly id?: number; readonly result: { readonly result?: { readonly value?: string } } };
        if (said.id !== mine) return;
        socket.removeEventListener('message', listen);
        settle(said.result);
      };
      socket.addEventListener('message', listen);
      socket.send(JSON.stringify({ id: mine, method, params }));
    });
  };
  try {
    // Twice: what a finalizer lets go of is collected by the second one.
    await ask('HeapProfiler.collectGarbage');
    await ask('HeapProfiler.collectGarbage');
    const { result } = await ask('Runtime.evaluate', { expression: 'JSON.stringify(process.memoryUsage())' });
    const { rss, heapUsed } = JSON.parse(result!.value!) as { readonly rss: number; readonly heapUsed: number };
    return { residentBytes: rss, heapBytes: heapUsed };
  } finally {
    socket.close();
  }
};
