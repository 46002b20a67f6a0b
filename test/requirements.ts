import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

/** A promise of the product in one sentence. Tests cite its id in their titles, in square brackets. */
export type Requirement = { readonly id: string; readonly statement: string };
/** A test that runs and cites an id. `where` is file and line. */
export type Citation = { readonly id: string; readonly where: string };
/** A registered requirement without a test, and why. */
export type Excuse = { readonly id: string; readonly reason: string };

/** What keeps the gate shut, one sentence each. */
export const coverage = (registered: readonly Requirement[], cited: readonly Citation[], excused: readonly Excuse[]): string[] => {
  const known = new Set(registered.map(({ id }) => id));
  const proven = new Set(cited.map(({ id }) => id));
  const excuses = new Set(excused.map(({ id }) => id));
  return [
    ...[...known].filter((id) => registered.filter((one) => one.id === id).length > 1).map((id) => `${id} is registered more than once`),
    ...cited.filter(({ id }) => !known.has(id)).map(({ id, where }) => `${id} is cited at ${where} but not registered`),
    ...registered
      .filter(({ id }) => !proven.has(id) && !excuses.has(id))
      .map(({ id, statement }) => `${id} is neither cited nor excused: ${statement}`),
    ...excused.filter(({ id }) => !known.has(id)).map(({ id }) => `${id} is excused but not registered`),
    ...excused.filter(({ id }) => proven.has(id)).map(({ id }) => `${id} is excused although a test cites it`),
    ...excused.filter(({ reason }) => reason === '').map(({ id }) => `${id} is excused without a reason`),
  ];
};

/** Reads the registry: tab-separated, with a heading that names the columns. */
export const parseRegistry = (tsv: string): Requirement[] => {
  const [heading = '', ...rows] = tsv.trimEnd().split('\n');
  const columns = heading.split('\t');
  return rows.map((row) => {
    const cells = row.split('\t');
    const cell = (name: string) => cells[columns.indexOf(name)] ?? '';
    return { id: cell('id'), statement: cell('statement') };
  });
};

/** Reads the rows of a Markdown table `| id | reason |`. */
export const parseExcuses = (markdown: string): Excuse[] =>
  [...markdown.matchAll(/^\|\s*([A-Z]+-\d{3})\s*\|(.*)\|\s*$/gm)].map(([, id = '', reason = '']) => ({ id, reason: reason.trim() }));

const ID = /\[([A-Z]+-\d{3})\]/g;
const RUNS = /^(it|test|describe)(\.(each|concurrent))*$/;

/**
 * The ids in the titles of tests that run. Comments, other texts and skipped tests prove nothing.
 * A title that is put together counts with the parts that stand in the source.
 */
export const citationsIn = (source: string, file: string): Citation[] => {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: Citation[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && RUNS.test(calleeOf(node.expression)) && node.arguments[0]) {
      const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      for (const [, id = ''] of node.arguments[0].getText().matchAll(ID)) found.push({ id, where: `${file}:${line}` });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
};

/** `it`, `it.skip`, and for the tables `it.each([…])('title')` and `` it.each`…`('title') `` the function that makes them. */
const calleeOf = (expression: ts.Expression): string => {
  if (ts.isCallExpression(expression)) return calleeOf(expression.expression);
  if (ts.isTaggedTemplateExpression(expression)) return expression.tag.getText();
  return expression.getText();
};

/** Spec files, and the suites that several adapters share: those are called from a spec file. */
const HOLDS_TESTS = /\.spec\.ts$|\/testing\/.*\.ts$|\.conformance\.ts$/;

export const citationsBelow = (root: string, folders: readonly string[]): Citation[] =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((below) => join(root, folder, below))
      .filter((file) => HOLDS_TESTS.test(file) && !file.includes('/node_modules/'))
      .flatMap((file) => citationsIn(readFileSync(file, 'utf8'), relative(root, file))),
  );
