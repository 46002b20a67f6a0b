import { setImmediate as turn } from 'node:timers/promises';
import type { ToolDefinition } from '@app/governance/contract';
import type { Listing } from '../connection/listing';
import { MAX_TOOLS } from '../connection/listing';
import { importedTool, ownNameOf, type ImportTerms } from '../upstream-tool/imported-tool';
import type { KnownLooks } from '../upstream-tool/look-alike.policy';
import { readUpstreamTool } from '../upstream-tool/upstream-tool';
import { printableName } from '../upstream-tool/visible-text.policy';
import type { Read } from './import-mcp.decide';

export type ReadTools = Pick<Read, 'definitions' | 'upstreamNames' | 'isWhole' | 'skipped' | 'findings'>;

/** Compiling schemas is work of this process alone; a listing that makes it too long is read as far as it got. */
const READ_MS = 10_000;

/** The tools of a listing as they would be registered, one by one: what is wrong with one says nothing about the others. */
export const readTools = async ({ entries, isWhole }: Listing, terms: ImportTerms, looks: KnownLooks, monotonicMs: () => number = () => performance.now()): Promise<ReadTools> => {
  const definitions = new Map<string, ToolDefinition>();
  const upstreamNames = new Set<string>();
  const skipped: { name: string; reason: string }[] = [];
  const findings: { tool: string; finding: string }[] = [];
  const skip = (name: string, reason: string) => void skipped.push({ name: printableName(name), reason });
  const started = monotonicMs();
  let whole = isWhole;
  for (const entry of entries) {
    if (monotonicMs() - started > READ_MS) {
      skip('*', `Reading the tools took longer than ${READ_MS} ms; the rest was not read`);
      whole = false;
      break;
    }
    const tool = readUpstreamTool(entry);
    if (upstreamNames.has(tool.name)) {
      skip(tool.name, 'The server lists two tools of this name');
      continue;
    }
    upstreamNames.add(tool.name);
    if ('reason' in tool) {
      skip(tool.name, isOversized(entry) ? 'Its description is too large' : tool.reason);
      continue;
    }
    const candidate = importedTool(tool, terms, looks);
    const name = 'definition' in candidate ? candidate.definition.name : `${terms.server}.${printableName(ownNameOf(tool.name, terms.prefix))}`;
    for (const finding of candidate.findings) findings.push({ tool: name, finding });
    if ('reason' in candidate) skip(tool.name, candidate.reason);
    else if (definitions.has(name)) skip(tool.name, `Another tool of this server is already named ${name}`);
    else definitions.set(name, candidate.definition);
    await turn();
  }
  if (!isWhole) skip('*', `The server lists more than ${MAX_TOOLS} tools, or more text than is read; the rest was not read`);
  return { definitions: [...definitions.values()], upstreamNames, isWhole: whole, skipped, findings };
};

const isOversized = (entry: unknown) => (entry as { oversized?: unknown } | null)?.oversized !== undefined;
