import type { PolicyTest, PolicyTests } from '@app/sdk';
import { Command } from 'commander';
import { jsonFile } from '../json-file';
import type { Runner } from '../session';
import { printable } from '../terminal';

/** A list of rules or cases stands for itself; else the document names them. */
const named = (document: unknown, name: string): unknown =>
  Array.isArray(document) ? document : (document as Readonly<Record<string, unknown>> | null)?.[name];

export const policyCommand = (run: Runner): Command => {
  const policy = new Command('policy').description('argument policies');

  policy
    .command('test <file>')
    .description('run the cases of a JSON file against its rules, those of --rules, or those in force; exits 1 when one fails')
    .option('--rules <file>', 'JSON list of policy rules to test instead')
    .action(
      run(async (session, [file = ''], { rules }) => {
        const document = await jsonFile(file);
        const tested = typeof rules === 'string' ? named(await jsonFile(rules), 'rules') : Array.isArray(document) ? undefined : named(document, 'rules');
        const tests = { cases: named(document, 'cases'), ...(tested !== undefined && { rules: tested }) } as PolicyTests;
        const { data } = await session.harness.policies.test(tests, { signal: session.terminal.signal });
        session.print(data, inWords(data));
        return data.failed > 0 || data.faults.length > 0 ? 1 : 0;
      }),
    );
  return policy;
};

const inWords = ({ results, passed, failed, faults, warnings }: PolicyTest): string =>
  [
    ...results.map(({ name, passed: ok, differences }) => `${ok ? 'ok  ' : 'FAIL'} ${printable(name)}${differences.map((each) => `\n     ${printable(each)}`).join('')}`),
    ...faults.map(({ pointer, detail }) => `FAULT ${printable(pointer)}: ${printable(detail)}`),
    ...warnings.map(({ pointer, detail }) => `warning ${printable(pointer)}: ${printable(detail)}`),
    `${passed} passed, ${failed} failed`,
  ].join('\n');
