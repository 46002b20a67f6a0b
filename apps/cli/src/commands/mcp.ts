import { HarnessError, type ServerCode } from '@app/sdk';
import { Command } from 'commander';
import { McpBridge } from '../mcp-bridge';
import { UsageError, type Runner, type Session } from '../session';

/** For desktop clients that start a program and speak the Model Context Protocol with it: every message goes to the server, whose door decides. */
export const mcpCommand = (run: Runner): Command =>
  new Command('mcp')
    .description('bridge the MCP endpoint of the server to standard input and output, for desktop clients, until the input ends')
    .option('--run <run>', 'the run that calls belong to, instead of the one of the key for the day')
    .action(
      run(async (session, _args, { run: runId }) => {
        if (runId !== undefined && !/^run_[0-9a-f]{32}$/.test(String(runId))) throw new UsageError('--run takes the id of a run: run_…');
        const url = new URL('/api/v1/mcp', session.url);
        const headers = headersOf(session, runId as string | undefined);
        await answers(url, headers, session.terminal.signal);
        await new McpBridge(url, headers).serve(process.stdin, session.terminal);
      }),
    );

const headersOf = ({ key, siteId }: Session, runId: string | undefined): Record<string, string> => ({
  authorization: `Bearer ${key}`, ...(siteId !== undefined && siteId !== '' && { 'x-site-id': siteId }), ...(runId !== undefined && { 'x-run-id': runId }),
});

/** Said before the first message, in words: a desktop client shows what a program printed to its error stream, and little else. */
const answers = async (url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<void> => {
  const answer = await fetch(url, { headers, signal }).catch((cause: unknown) => {
    throw new HarnessError({ status: 0, code: 'NETWORK', detail: `No server answers at ${url.origin}.`, cause });
  });
  if (answer.status === 405) return;
  const { code, detail } = ((await answer.json().catch(() => ({}))) ?? {}) as { readonly code?: ServerCode; readonly detail?: string };
  throw new HarnessError({ status: answer.status, code: code ?? 'UNEXPECTED_ANSWER', detail: detail ?? `${url.origin} answered with status ${answer.status}.` });
};
