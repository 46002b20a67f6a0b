import { beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

type Planted = { label: string; expected: string | null; reported: string[] };
type Violation = { rule: string; where: string };
type Verdict = {
  clean: Violation[];
  imports: Planted[];
  code: Planted[];
  real: { imports: Violation[]; code: Violation[] };
  rules: string[];
};

/** The checker runs as a program of its own: it moves the working directory and loads two compilers. */
const check = async (): Promise<Verdict> => {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const script = join(import.meta.dirname, 'planted-violations.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--json', '--real'], { env, maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout) as Verdict;
};

describe('The architecture rules', () => {
  let verdict: Verdict;
  beforeAll(async () => {
    verdict = await check();
  }, 180_000);

  const unreported = (planted: Planted[]) => planted.filter(({ expected, reported }) => expected !== null && !reported.includes(expected));
  const plantedFor = (list: Planted[], ...rules: string[]) => list.filter(({ expected }) => expected !== null && rules.includes(expected));
  const foundFor = (list: Violation[], ...rules: string[]) => list.filter(({ rule }) => rules.includes(rule));

  it('[ARCH-002] find no import cycle in the source, types included, and every planted one', () => {
    expect(foundFor(verdict.real.imports, 'no-cycles', 'everything-resolves')).toEqual([]);
    const planted = plantedFor(verdict.imports, 'no-cycles');
    expect(planted.length).toBeGreaterThanOrEqual(4);
    expect(unreported(planted)).toEqual([]);
  });

  it('[ARCH-003] find pure files that import only pure files, without clock, chance and network, and report every planted one that does not', () => {
    expect(foundFor(verdict.real.imports, 'pure-stays-pure', 'kernel-imports-nothing')).toEqual([]);
    expect(foundFor(verdict.real.code, 'no-restricted-syntax', 'no-restricted-globals')).toEqual([]);
    const imports = plantedFor(verdict.imports, 'pure-stays-pure', 'kernel-imports-nothing');
    const code = plantedFor(verdict.code, 'no-restricted-syntax', 'no-restricted-globals');
    expect(imports.length).toBeGreaterThanOrEqual(20);
    for (const role of ['events', 'state', 'command', 'policy', 'process', 'view', 'contract']) {
      for (const what of ['a clock', 'chance', 'the network'])
        expect(code).toContainEqual(expect.objectContaining({ label: expect.stringMatching(new RegExp(`^${what} in a ${role}\\b`)) }));
    }
    expect(unreported([...imports, ...code])).toEqual([]);
  });

  it('[ARCH-004] find platform libraries without capabilities and capabilities that meet at contracts, and every planted exception', () => {
    const rules = [
      'platform-knows-no-capability',
      'capabilities-meet-at-contracts',
      'processes-see-contracts-only',
      'capabilities-know-no-process',
      'front-doors-only',
    ];
    expect(foundFor(verdict.real.imports, ...rules)).toEqual([]);
    const planted = plantedFor(verdict.imports, ...rules);
    expect(planted.length).toBeGreaterThanOrEqual(12);
    expect(unreported(planted)).toEqual([]);
  });

  it("[ARCH-005] find no use of the framework's in-memory event bus or sagas, and every planted one", () => {
    expect(foundFor(verdict.real.code, 'no-restricted-imports')).toEqual([]);
    const planted = verdict.code.filter(({ label, expected }) => label.includes("framework's") && expected !== null);
    expect(planted.length).toBeGreaterThanOrEqual(10);
    expect(unreported(planted)).toEqual([]);
  });

  it('hold in the whole source', () => {
    expect(verdict.real).toEqual({ imports: [], code: [] });
  });

  it('each report at least one planted violation, and nothing that is allowed', () => {
    const all = [...verdict.imports, ...verdict.code];
    expect(unreported(all)).toEqual([]);
    expect(all.filter(({ expected, reported }) => expected === null && reported.length > 0)).toEqual([]);
    expect(verdict.clean).toEqual([]);
    expect(verdict.rules.filter((rule) => plantedFor(verdict.imports, rule).length === 0)).toEqual([]);
  });
});
