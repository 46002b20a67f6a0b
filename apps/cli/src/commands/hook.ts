import { claudeCodeHook, type HookInput } from '@app/sdk';
import { Command, InvalidArgumentError } from 'commander';
import { UsageError, type Runner } from '../session';

/** A tool's input can be a whole file. */
const MAX_INPUT_BYTES = 16 * 1024 * 1024;

type HookOptions = { readonly run?: string; readonly agent: string; readonly role?: string; readonly wait?: number };

/** For coding assistants with hooks: one JSON document on standard input, one on standard output. All uses of one session belong to one run. */
export const hookCommand = (run: Runner): Command =>
  new Command('hook')
    .description('decide a tool use of a coding assistant: PreToolUse and PostToolUse JSON on standard input, the decision on standard output')
    .option('--run <run>', 'the run that the uses belong to, instead of one for each session of the assistant')
    .option('--agent <name>', 'the name of the agent of a new run', 'coding-assistant')
    .option('--role <role>', 'its role')
    .option('--wait <seconds>', 'wait so long for a person, at most; stay below the time limit of the hook', secondsOf)
    .action(
      run(async (session, _args, options) => {
        const { run: runId, agent, role, wait } = options as unknown as HookOptions;
        const input = await inputOf(process.stdin);
        const openRun = async () =>
          runId !== undefined
            ? session.harness.run(runId)
            : session.harness.goal(
                { title: `Session ${input.session_id ?? 'without a name'}`, agentName: agent, ...(role !== undefined && { agentRole: role }) },
                { idempotencyKey: `hook:${agent}:${role ?? ''}:${input.session_id ?? ''}` },
              );
        const output = await claudeCodeHook(openRun, input, wait === undefined ? undefined : AbortSignal.timeout(wait * 1_000));
        session.terminal.out(`${JSON.stringify(output)}\n`);
      }),
    );

const secondsOf = (text: string): number => {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('A whole number of seconds.');
  return Number(text);
};

/** Exit code 2, with which a usage error ends, keeps the assistant from using the tool. */
const inputOf = async (stream: AsyncIterable<Buffer>): Promise<HookInput> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > MAX_INPUT_BYTES) throw new UsageError(`The input of the hook is larger than ${MAX_INPUT_BYTES / 2 ** 20} MiB.`);
    chunks.push(chunk);
  }
  const input = parsed(Buffer.concat(chunks).toString('utf8'));
  if (typeof input?.hook_event_name !== 'string' || typeof input.tool_name !== 'string' || typeof input.tool_input !== 'object' || input.tool_input === null)
    throw new UsageError('Standard input must be one JSON object with hook_event_name, tool_name and tool_input.');
  return input as HookInput;
};

const parsed = (text: string): Partial<HookInput> | undefined => {
  try {
    return JSON.parse(text) as Partial<HookInput>;
  } catch {
    return undefined;
  }
};
