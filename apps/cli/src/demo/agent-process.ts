import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { AgentMessage } from './agent-messages';
import type { ImportSummary } from './import-catalogue';

const PROGRAM = fileURLToPath(new URL('./agent.js', import.meta.url));

export type AgentStart = { readonly url: string; readonly key: string; readonly file: string; readonly signal: AbortSignal };

/** Runs the agent in its own process, with its own key and no other secret. Resolves with its summary when it has ended in good order. */
export const runAgent = ({ url, key, file, signal }: AgentStart, onMessage: (message: AgentMessage) => void): Promise<ImportSummary> =>
  new Promise((resolve, reject) => {
    const env = { PATH: process.env['PATH'], HARNESS_URL: url, HARNESS_KEY: key };
    const child = fork(PROGRAM, [file], { env, signal });
    let summary: ImportSummary | undefined;
    let detail = '';
    child.on('message', (message) => {
      const told = message as AgentMessage;
      if (told.kind === 'done') summary = told.summary;
      if (told.kind === 'failed') detail = `: ${told.detail}`;
      onMessage(told);
    });
    child.on('error', reject);
    child.on('close', (code, killedBy) => {
      if (code === 0 && summary) resolve(summary);
      else reject(new Error(`The agent ended with ${killedBy ?? `code ${code}`}${detail}`));
    });
  });
