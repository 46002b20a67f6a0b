import { parseArgs } from 'node:util';
import { aligned } from '../table';
import { sampleCatalogue } from './catalogue-file';
import { playDemo } from './demo';
import { summaryLines } from './demo-report';
import { demoServer, type DemoServer } from './demo-server';

const USAGE = `npm run demo [-- --json] [-- --file products.csv]

An agent in its own process imports a messy product file through governed tool calls, and waits for a person where the rules say so.
Uses the server at HARNESS_URL with the admin key HARNESS_KEY; without them it starts one of its own and throws it away afterwards.
`;

const { values } = parseArgs({ options: { json: { type: 'boolean' }, file: { type: 'string' }, help: { type: 'boolean', short: 'h' } } });
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
const write = (text: string) => void process.stderr.write(text);

let server: DemoServer | undefined;
try {
  write('Starting …\n');
  server = await demoServer(process.env, stop.signal);
  const { report, timeline } = await playDemo(server, values.file ?? sampleCatalogue(), stop.signal, process.stderr.isTTY === true, write);
  process.stdout.write(
    values.json ? `${JSON.stringify(report, null, 2)}\n` : `${aligned(timeline)}\n\n${summaryLines(report).join('\n')}\n`,
  );
  process.exitCode = report.problems.length === 0 ? 0 : 1;
} catch (error) {
  const detail = stop.signal.aborted ? 'interrupted' : error instanceof Error ? error.message : String(error);
  if (values.json) process.stdout.write(`${JSON.stringify({ error: { code: 'FAILED', detail } }, null, 2)}\n`);
  write(`demo: ${detail}\n`);
  process.exitCode = 1;
} finally {
  await server?.close();
}
