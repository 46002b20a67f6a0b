import { afterEach, describe, expect, it } from '@jest/globals';
import { answers } from '@app/sdk/testing';
import { against, closeServer, served } from '../testing/run-harness';

afterEach(closeServer);

const DONE = {
  imported: ['docs.search'], changed: ['docs.read'], skipped: [{ name: 'bad', reason: 'It has no input schema' }],
  findings: [{ tool: 'docs.search', finding: 'Its name looks like that of \u202egetItem' }],
};
const NOTHING = { imported: [], changed: [], skipped: [], findings: [] };

describe('harness tools import-mcp', () => {
  it('[CLI-012] imports the tools of a server over HTTP and says what came of each', async () => {
    const { code, out } = await against([answers(DONE)], 'tools import-mcp docs --http https://docs.example/mcp --header x-key:secret://docs --header x-team:blue --prefix v2_ --risk read --capabilities a:b,c:d');
    expect(code).toBe(0);
    expect(served().seen[0]).toMatchObject({
      method: 'POST', path: '/api/v1/agent/tools/import/mcp',
      body: {
        server: 'docs', transport: { type: 'http', url: 'https://docs.example/mcp', headers: { 'x-key': 'secret://docs', 'x-team': 'blue' } }, prefix: 'v2_',
        defaults: { risk: 'read', requiredCapabilities: ['a:b', 'c:d'] },
      },
    });
    expect(out.split('\n').map((line) => line.replace(/ {2,}/g, ' | '))).toEqual([
      'WHAT | TOOL | WHY', 'imported | docs.search', 'changed | docs.read | disabled until an admin enables it again', 'skipped | bad | It has no input schema',
      'suspicious | docs.search | Its name looks like that of \\u{202e}getItem', '',
    ]);
  });

  it('[CLI-012] imports the tools of a program, whose own options stay its own', async () => {
    const { code, out } = await against([answers(NOTHING)], 'tools import-mcp files --stdio --env TOKEN=secret://files --env A=b=c -- node server.js --risk none -y');
    expect([code, out]).toEqual([0, 'Nothing has changed.\n']);
    expect(served().seen[0]).toMatchObject({ body: { server: 'files', transport: { type: 'stdio', command: 'node', args: ['server.js', '--risk', 'none', '-y'], env: { TOKEN: 'secret://files', A: 'b=c' } } } });
    expect(Object.keys(served().seen[0]!.body as object)).toEqual(['server', 'transport']);
  });

  it.each([
    'docs', 'docs --stdio', 'docs --http https://docs.example/mcp --stdio -- node', 'docs --http https://docs.example/mcp --env A=b', 'docs --http https://docs.example/mcp --header x',
    'docs --stdio --header x:y -- node', 'docs --stdio --env =b -- node', 'docs --http https://docs.example/mcp --risk huge', '',
  ])('does not understand "%s"', async (line) => {
    const { code, err } = await against([answers(NOTHING)], `tools import-mcp ${line}`.trim());
    expect([code, err]).toEqual([2, expect.stringMatching(/\w/)]);
    expect(served().seen).toEqual([]);
  });
});
