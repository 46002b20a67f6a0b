import { describe, expect, it } from '@jest/globals';
import { shipped, type Source } from './sources';

/** Who may name each link of the chain request → door → handling → handlers → skill. Nobody else can get hold of the next link. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  // The handlers themselves: made where the app is composed, and nowhere taken apart.
  SkillHandlers: ['apps/gateway/src/gateway.module.ts'],
  coreSkills: ['apps/gateway/src/server.ts'],
  // The port: bound by the app, implemented by the skills, asked by the door; `run` on it is called by `handling.ts` alone.
  HandlersByKind: ['apps/gateway/src/gateway.module.ts'],
  ToolHandlers: [
    'apps/gateway/src/gateway.module.ts', 'apps/gateway/src/traced-tool-handlers.ts', 'libs/skills/src/skill-handlers.ts', 'libs/tool-calls/src/door/dispatcher.ts', 'libs/tool-calls/src/door/door.handlers.ts',
    'libs/tool-calls/src/door/handling.ts', 'libs/tool-calls/src/dry-run/dry-run.handler.ts', 'libs/tool-calls/src/handlers-by-kind.ts', 'libs/tool-http/src/http-tools.ts', 'libs/tool-mcp/src/mcp-tools.ts', 'libs/tool-worker/src/worker-tools.ts',
  ],
  // What reaches an upstream MCP server: its handlers, and the import, which lists and never calls.
  McpTools: ['apps/gateway/src/gateway.module.ts'],
  HttpTools: ['apps/gateway/src/gateway.module.ts'],
  Upstreams: ['apps/gateway/src/gateway.module.ts', 'libs/tool-mcp/src/import-mcp/import-mcp.handler.ts', 'libs/tool-mcp/src/mcp-tools.ts', 'libs/tool-mcp/src/tool-mcp.module.ts'],
  // What starts a handler: used by the door, listed by its module.
  Handling: ['libs/tool-calls/src/door/dispatcher.ts', 'libs/tool-calls/src/tool-calls.module.ts'],
  Dispatcher: ['libs/tool-calls/src/door/door.ts', 'libs/tool-calls/src/recover-call/recovery.ts', 'libs/tool-calls/src/resolve-call/resolution.ts', 'libs/tool-calls/src/tool-calls.module.ts'],
};
/** The door's handling, and what only passes its call on: to the handlers of a kind, inside a span. */
const RUNS_HANDLERS = ['apps/gateway/src/traced-tool-handlers.ts', 'libs/tool-calls/src/door/handling.ts', 'libs/tool-calls/src/handlers-by-kind.ts'];

const importsOf = ({ text }: Source): readonly string[] =>
  [...text.matchAll(/^(?:import|export) (?:type )?\{([^}]*)\} from/gms)].flatMap(([, names]) => names!.split(',').map((name) => name.replace(/\btype\b|\bas\b.*$/g, '').trim()));

const sidePaths = (sources: readonly Source[]): readonly string[] =>
  sources.flatMap((source) => [
    ...importsOf(source)
      .filter((name) => MAY_IMPORT[name] && !MAY_IMPORT[name].includes(source.path) && !/\/(index|contract)\.ts$/.test(source.path))
      .map((name) => `${source.path} imports ${name}`),
    ...(/\bhandlers\s*\.\s*run\s*\(/.test(source.text) && !RUNS_HANDLERS.includes(source.path) ? [`${source.path} runs a handler`] : []),
  ]);

describe('The one door', () => {
  it('[ARCH-008] is the only way on which shipped code reaches a skill handler', () => {
    const sources = [...shipped('apps'), ...shipped('libs')];
    expect(sources.length).toBeGreaterThan(500);
    expect(sidePaths(sources)).toEqual([]);
    expect(sources.filter(({ text }) => /\bhandlers\s*\.\s*run\s*\(/.test(text)).map(({ path }) => path).toSorted()).toEqual(RUNS_HANDLERS);
  });

  it.each([
    ['takes the handlers', "import { SkillHandlers } from '@app/skills';", 'imports SkillHandlers'],
    ['takes the list of skills', "import { coreSkills as all } from '@app/skills';", 'imports coreSkills'],
    ['takes the port', "import { type Change, ToolHandlers } from '@app/tool-calls/contract';", 'imports ToolHandlers'],
    ['starts a handling', "import { Handling } from '../../tool-calls/src/door/handling';", 'imports Handling'],
    ['runs a handler', 'const result = await this.handlers.run(tool, input, call);', 'runs a handler'],
  ])('[ARCH-008] reports code beside it that %s', (_name, text, report) => {
    expect(sidePaths([{ path: 'libs/shortcut/src/shortcut.ts', text }])).toEqual([`libs/shortcut/src/shortcut.ts ${report}`]);
  });
});
