import type { McpImportResult, McpServerImport } from '@app/sdk';
import { Command, Option } from 'commander';
import { UsageError, type Runner } from '../session';
import { table } from '../table';
import { printable } from '../terminal';

const RISKS = ['read', 'create', 'write', 'destructive'] as const;

type ImportOptions = { http?: string; header: string[]; stdio?: boolean; env: string[]; prefix?: string; risk?: (typeof RISKS)[number]; capabilities?: string[] };

const repeated = (value: string, before: string[]): string[] => [...before, value];
const listOf = (text: string): string[] => text.split(',').map((part) => part.trim()).filter(Boolean);

export const toolsCommand = (run: Runner): Command => {
  const tools = new Command('tools').description('tools of the site');

  tools
    .command('import-mcp <server> [command...]')
    .description('register the tools of an upstream MCP server as <server>.<tool>; a command goes after --')
    .option('--http <url>', 'reach it over streamable HTTP')
    .option('--header <name: value>', 'with --http; may be repeated; credentials by name, as secret://name', repeated, [])
    .option('--stdio', 'start it as a program of the server\'s machine')
    .option('--env <NAME=value>', 'with --stdio; may be repeated; credentials by name, as secret://name', repeated, [])
    .option('--prefix <text>', 'begins the own name of every tool')
    .addOption(new Option('--risk <risk>', 'of new tools, instead of what their annotations claim').choices(RISKS))
    .option('--capabilities <list>', 'that calls of new tools require, separated by commas (default mcp:<server>)', listOf)
    .action(
      run(async (session, [server = '', ...command], options) => {
        const { data } = await session.harness.tools.importMcp(importOf(server, command, options as unknown as ImportOptions));
        session.print(data, inWords(data));
      }),
    );
  return tools;
};

const importOf = (server: string, command: readonly string[], { http, header, stdio, env, prefix, risk, capabilities }: ImportOptions): McpServerImport => {
  const defaults = { ...(risk && { risk }), ...(capabilities && { requiredCapabilities: capabilities }) };
  return {
    server, transport: transportOf(command, http, header, stdio, env),
    ...(prefix !== undefined && { prefix }), ...(Object.keys(defaults).length > 0 && { defaults }),
  };
};

const transportOf = ([program, ...args]: readonly string[], http: string | undefined, header: readonly string[], stdio: boolean | undefined, env: readonly string[]): McpServerImport['transport'] => {
  if ((http === undefined) === (stdio !== true)) throw new UsageError('Say how the server is reached: --http <url>, or --stdio -- <command> [args]');
  if (http !== undefined) {
    if (program !== undefined || env.length > 0) throw new UsageError('A server reached over HTTP takes no command and no --env');
    return { type: 'http', url: http, ...(header.length > 0 && { headers: pairs(header, ':', '--header') }) };
  }
  if (program === undefined) throw new UsageError('The command of a --stdio server is missing; it goes after --');
  if (header.length > 0) throw new UsageError('A program takes no --header');
  return { type: 'stdio', command: program, args, ...(env.length > 0 && { env: pairs(env, '=', '--env') }) };
};

const pairs = (texts: readonly string[], mark: string, option: string): Record<string, string> =>
  Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(mark);
      if (at < 1) throw new UsageError(`${option} ${printable(text)} has no name before a "${mark}"`);
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    }),
  );

const inWords = ({ imported, changed, skipped, findings }: McpImportResult): string => {
  const rows = [
    ...imported.map((name) => ['imported', name, '']),
    ...changed.map((name) => ['changed', name, 'disabled until an admin enables it again']),
    ...skipped.map(({ name, reason }) => ['skipped', name, reason]),
    ...findings.map(({ tool, finding }) => ['suspicious', tool, finding]),
  ];
  return table(['WHAT', 'TOOL', 'WHY'], rows, 'Nothing has changed.');
};
