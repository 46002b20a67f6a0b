import type { RawServer } from '../../libs/tool-mcp/src/testing';
import type { CommandLine, Ended } from './command-line';
import type { TestServer } from './server';

/** What the rows work with: a server with an event, a run and a key. */
export type World = {
  readonly server: TestServer;
  readonly line: CommandLine;
  readonly folder: string;
  readonly eventId: string;
  readonly runId: string;
  readonly keyId: string;
  readonly settings: Record<string, string>;
  readonly upstream: RawServer;
};
export type Row = {
  /** Arguments with which the command does its work. */
  readonly args: (world: World) => readonly string[];
  /** The state that it needs, made at the last moment. */
  readonly given?: (world: World) => Promise<unknown>;
  /** How it is run to its end, when it does not end by itself. */
  readonly run?: (world: World, args: readonly string[]) => Promise<Ended>;
  /** Arguments and environment with which it fails, each with the code of its error document, or none for a verdict that says no. */
  readonly fails: (world: World) => readonly { readonly args: readonly string[]; readonly env?: Record<string, string>; readonly code: string | undefined }[];
  /** It speaks to no server, so neither a wrong key nor a silent server can make it fail. */
  readonly offline?: true;
};
export type Rows = Readonly<Record<string, Row>>;

export const takesNothing: Pick<Row, 'args' | 'fails'> = { args: () => [], fails: () => [{ args: ['--sideways'], code: 'USAGE' }] };
