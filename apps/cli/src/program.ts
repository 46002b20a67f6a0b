import { Command, CommanderError } from 'commander';
import { approvalsCommand } from './commands/approvals';
import { artifactsCommand } from './commands/artifacts';
import { auditCommand } from './commands/audit';
import { backtestCommand } from './commands/backtest';
import { deadLettersCommand } from './commands/dead-letters';
import { flowsCommand } from './commands/flows';
import { forgetCommand } from './commands/forget';
import { goalsCommand } from './commands/goals';
import { hookCommand } from './commands/hook';
import { intentsCommand } from './commands/intents';
import { itemsCommand } from './commands/items';
import { keysCommand } from './commands/keys';
import { killSwitchCommand } from './commands/kill-switch';
import { mcpCommand } from './commands/mcp';
import { pinsCommand } from './commands/pins';
import { policyCommand } from './commands/policy';
import { projectionsCommand } from './commands/projections';
import { promotionsCommand } from './commands/promotions';
import { replayCommand } from './commands/replay';
import { runCommand } from './commands/run';
import { runsCommand } from './commands/runs';
import { seedCommand } from './commands/seed';
import { serveCommand } from './commands/serve';
import { stagedCommand } from './commands/staged';
import { subscriptionsCommand } from './commands/subscriptions';
import { tailCommand } from './commands/tail';
import { toolsCommand } from './commands/tools';
import { usersCommand } from './commands/users';
import { DEFAULT_URL, reportFailure, runner, UsageError, type Runner } from './session';
import type { Terminal } from './terminal';

/** All of the program, before any of it is run. */
export const harnessProgram = (run: Runner): Command => {
  const program = new Command('harness')
    .description('Operate a harness server: follow the log, prove it, manage keys and read models.')
    .option('--url <address>', `address of the server (HARNESS_URL, else ${DEFAULT_URL})`)
    .option('--key <key>', 'API key; better set HARNESS_KEY, which other users of the machine cannot see')
    .option('--site <id>', 'site, for keys that serve several (HARNESS_SITE)')
    .option('--json', 'print JSON for scripts');
  const commands = [
    serveCommand, seedCommand, tailCommand, auditCommand, projectionsCommand, deadLettersCommand, keysCommand, usersCommand, subscriptionsCommand, killSwitchCommand, approvalsCommand, stagedCommand, pinsCommand, itemsCommand,
    promotionsCommand, goalsCommand, runsCommand, runCommand, intentsCommand, flowsCommand, artifactsCommand, forgetCommand, policyCommand, toolsCommand, mcpCommand, hookCommand, replayCommand, backtestCommand,
  ];
  for (const command of commands) program.addCommand(command(run));
  return program;
};

/** Runs one command line; answers the exit code: 0 done, 1 failed, 2 not understood. Prints nothing but through the terminal. */
export const runProgram = async (args: readonly string[], terminal: Terminal): Promise<number> => {
  let exitCode = 0;
  const program = harnessProgram(runner(terminal, (code) => (exitCode = code)));
  const json = args.includes('--json');
  for (const command of everyCommand(program)) {
    command.exitOverride().configureOutput({ writeOut: terminal.out, writeErr: (text) => (json ? undefined : terminal.err(text)) });
  }
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportFailure(error, json, terminal);
    if (error.exitCode === 0) return 0;
    if (json) reportFailure(new UsageError(misunderstanding(error)), json, terminal);
    return 2;
  }
};

export const everyCommand = (command: Command): Command[] => [command, ...command.commands.flatMap(everyCommand)];

/** In words; for a group without its command commander has only a help page, which a script cannot use. */
const misunderstanding = ({ code, message }: CommanderError): string =>
  code === 'commander.help' ? 'A command is missing; see --help' : message.replace(/^error: /, '');
