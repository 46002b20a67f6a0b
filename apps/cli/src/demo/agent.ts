import { DEMO_COLLECTION, Harness } from '@app/sdk';
import type { AgentMessage } from './agent-messages';
import { rowsOf } from './catalogue-file';
import { CatalogueImport } from './import-catalogue';

/**
 * The agent of the demo: a process of its own that knows an address, its own key and a file, and nothing else of the harness.
 * Usage: agent.js <file>, with HARNESS_URL and HARNESS_KEY in the environment.
 */
const tell = (message: AgentMessage): void => void process.send?.(message);

const [file] = process.argv.slice(2);
const { HARNESS_URL: url, HARNESS_KEY: key } = process.env;
if (!file || !url || !key) throw new Error('Usage: HARNESS_URL=… HARNESS_KEY=… agent.js <file>');

const harness = new Harness({ url, key });
const run = await harness.goal({
  title: 'Import the product catalogue',
  agentName: 'catalogue-importer',
  budget: { maxToolCalls: 2000, timeoutMs: 600_000 },
  context: { collections: [DEMO_COLLECTION.name] },
});
tell({ kind: 'run', runId: run.runId });
try {
  const summary = await new CatalogueImport(run, (progress) => tell({ kind: 'progress', ...progress })).all(rowsOf(file));
  await run.complete(summary);
  tell({ kind: 'done', summary });
} catch (error) {
  const detail = error instanceof Error ? error.message : String(error);
  tell({ kind: 'failed', detail });
  process.exitCode = 1;
  await run.fail(detail.slice(0, 2_000)).catch(() => undefined);
}
process.disconnect?.();
