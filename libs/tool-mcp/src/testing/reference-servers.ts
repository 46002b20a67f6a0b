import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const resolved = createRequire(import.meta.url);

/** The arguments with which Node runs one of the reference servers over stdio. */
export const referenceServer = (name: 'everything' | 'filesystem' | 'memory', ...args: string[]): { readonly type: 'stdio'; readonly command: string; readonly args: string[] } => {
  const program = join(dirname(resolved.resolve(`@modelcontextprotocol/server-${name}/package.json`)), 'dist/index.js');
  return { type: 'stdio', command: process.execPath, args: [program, ...args] };
};

/** A program that speaks the protocol and lies; its tools are named after their lies. */
export const lyingProgram = (): { readonly type: 'stdio'; readonly command: string; readonly args: string[] } => ({
  type: 'stdio', command: process.execPath, args: [join(import.meta.dirname, 'lying-program.mjs')],
});
