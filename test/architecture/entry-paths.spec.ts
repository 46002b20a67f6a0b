import { describe, expect, it } from '@jest/globals';
import { ENTRY_PATHS, WATCHED } from './entry-paths';
import { shipped, textOf, type Source } from './sources';

const sends = (sources: readonly Source[]): readonly string[] =>
  sources.flatMap(({ path, text }) => WATCHED.filter((command) => new RegExp(`\\bnew ${command}\\(`).test(text)).map((command) => `${path} sends ${command}`));

/** Commands and queries whose handlers hold the door or what stands behind it. */
const DOOR = /:\s*(Door|Resolution|Recovery|Dispatcher)\b/;
const behindTheDoor = (sources: readonly Source[]): readonly string[] =>
  sources.flatMap(({ text }) =>
    text.split(/(?=@(?:Command|Query)Handler\()/).flatMap((part) => (DOOR.test(part) ? [/^@\w+Handler\((\w+)\)/.exec(part)?.[1] ?? []].flat() : [])),
  );

describe('The entry paths', () => {
  const sources = [...shipped('apps'), ...shipped('libs')];

  it('[ARCH-009] are all on the list: nothing sends a command that ends in the door, or writes a staged change, without being there', () => {
    const listed = ENTRY_PATHS.flatMap((entry) => entry.sends.map(([file, command]) => `${file} sends ${command}`));
    expect(sends(sources).toSorted()).toEqual([...new Set(listed)].toSorted());
    expect(behindTheDoor(sources).filter((command) => !WATCHED.includes(command))).toEqual([]);
    expect(behindTheDoor(sources).length).toBeGreaterThanOrEqual(4);
  });

  it.each(ENTRY_PATHS.map((entry) => [entry.name, entry] as const))('[ARCH-009] have a test that goes the way: %s', (_name, { proof }) => {
    expect(proof.length).toBeGreaterThan(0);
    for (const [spec, title] of proof) expect([spec, textOf(spec).includes(title.replaceAll('\'', '\\\'')) || textOf(spec).includes(title)]).toEqual([spec, true]);
  });

  it.each([
    ['a new route', 'libs/chat/src/chat.controller.ts', 'await this.bus.send(new RequestToolCall(runId, body, principal, context));', 'libs/chat/src/chat.controller.ts sends RequestToolCall'],
    ['a new timer', 'apps/worker/src/nightly.ts', 'const done = bus.send(new CreateGoal(body, principal, contextFor));', 'apps/worker/src/nightly.ts sends CreateGoal'],
  ])('[ARCH-009] are missed when %s is not listed', (_name, path, text, found) => {
    expect(sends([{ path, text }])).toEqual([found]);
    expect(ENTRY_PATHS.flatMap((entry) => entry.sends.map(([file]) => file))).not.toContain(path);
  });

  it('[ARCH-009] are missed when a new command is handled with the door in hand', () => {
    const text = '@CommandHandler(PlayAgain)\nexport class PlayAgainHandler {\n  constructor(private readonly door: Door) {}\n}';
    expect(behindTheDoor([{ path: 'libs/tool-calls/src/play-again.ts', text }])).toEqual(['PlayAgain']);
    expect(WATCHED).not.toContain('PlayAgain');
  });
});
