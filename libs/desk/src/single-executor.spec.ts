import { describe, expect, it } from '@jest/globals';
import { shipped, type Source } from '../../../test/architecture/sources';

/** What only these files may say: who decides about a desk, who appends to it, who starts that, and who asks for it from outside. */
const ONLY: readonly (readonly [what: string, said: RegExp, files: readonly string[]])[] = [
  ['makes a desk event', /type:\s*'DeskFile(?:Created|Updated|Renamed|Deleted|Restored)',\s*data\b/, ['libs/desk/src/change-file/desk-change.decide.ts']],
  ['decides about a desk', /\bdecideDeskChange\s*\(/, ['libs/desk/src/change-file/desk-executor.ts']],
  ['writes to a desk stream', /aggregate:\s*deskFile\b|['"`]desk-/, ['libs/desk/src/change-file/desk-executor.ts']],
  ['carries a change out', /\.carryOutChange\s*\(/, ['libs/desk/src/carry-out-plan/carry-out-plan.handler.ts', 'libs/desk/src/change-file/change-desk.handler.ts']],
  ['sends a change', /new ChangeDesk\s*\(/, ['libs/desk/src/desk.controller.ts', 'libs/skills/src/desk-skills.ts']],
  ['sends a plan', /new CarryOutPlan\s*\(/, ['libs/skills/src/desk-skills.ts']],
];

const shipsOnly = (sources: readonly Source[]): readonly string[] =>
  ONLY.flatMap(([what, said, files]) => sources.filter(({ path, text }) => said.test(text) && !files.includes(path)).map(({ path }) => `${path} ${what}`));

describe('The executor of desk changes', () => {
  const sources = [...shipped('apps'), ...shipped('libs')];

  it('[DESK-011] is the only way to a desk in shipped code: single changes, approved ones and steps of plans', () => {
    expect(sources.length).toBeGreaterThan(500);
    expect(shipsOnly(sources)).toEqual([]);
    for (const [what, said, files] of ONLY) expect([what, sources.filter(({ text }) => said.test(text)).map(({ path }) => path).toSorted()]).toEqual([what, files.toSorted()]);
  });

  it.each([
    ['makes a desk event', "return accept([{ type: 'DeskFileDeleted', data }]);"],
    ['decides about a desk', 'const decision = decideDeskChange(state, change, owner, facts, context);'],
    ['writes to a desk stream', 'await this.executor.execute({ file: { aggregate: deskFile, id } }, context, decide);'],
    ['writes to a desk stream', 'await store.append([{ streamId: `desk-${id}`, expected, events }], [], context);'],
    ['carries a change out', 'await this.desk.carryOutChange(change, owner, context);'],
    ['sends a change', 'await bus.send(new ChangeDesk(change, asker, context));'],
  ])('[DESK-011] is noticed to be passed by where code %s', (what, text) => {
    expect(shipsOnly([{ path: 'libs/shortcut/src/shortcut.ts', text }])).toEqual([`libs/shortcut/src/shortcut.ts ${what}`]);
  });
});
