const decide = (n) => `libs/approvals/src/planted-${n}.decide.ts`;
const syntax = 'no-restricted-syntax';
const globals = 'no-restricted-globals';
const imports = 'no-restricted-imports';
const typed = '@typescript-eslint/';

/** One file each: its name carries the role, `rule` must report it (null: it is clean). */
const list = [
  ['a clock: new Date()', decide, 'export const now = new Date();', syntax],
  ['a clock: new Date', decide, 'export const now = new Date;', syntax],
  ['a clock: Date()', decide, 'export const now = Date();', syntax],
  ['a clock: Date.now()', decide, 'export const now = Date.now();', syntax],
  ["a clock: Date['now']()", decide, "export const now = Date['now']();", syntax],
  ['a clock by another name', decide, 'const Clock = Date;\nexport const now = new Clock();', syntax],
  ['a clock: performance', decide, 'export const now = performance.now();', globals],
  ['a timer', decide, 'export const later = (f: () => void) => setTimeout(f, 1);', globals],
  ['chance: Math.random()', decide, 'export const dice = Math.random();', syntax],
  ['chance by another name', decide, 'const { random } = Math;\nexport const dice = random();', syntax],
  ['chance: crypto', decide, 'export const id = crypto.randomUUID();', globals],
  ['the network: fetch', decide, "export const answer = fetch('http://127.0.0.1');", globals],
  ['the network: WebSocket', decide, "export const socket = new WebSocket('ws://127.0.0.1');", globals],
  ['the environment', decide, "export const home = process.env['HOME'];", globals],
  ['everything, through globalThis', decide, 'export const now = globalThis.Date.now();', globals],
  ['the console', decide, "console.log('x');\nexport {};", globals],
  ['waiting', decide, 'export const late = async () => 1;', syntax],
  ['a throw in a decision', decide, "export const no = () => {\n  throw new Error('no');\n};", syntax],
  ['a throw in a state', (n) => `libs/approvals/src/planted-${n}.state.ts`, "export const no = (): never => {\n  throw new Error('no');\n};", null],
  ['an instant made from data', decide, 'export const at = (iso: string) => new Date(iso).getTime() + Date.parse(iso);', null],
  ['arithmetic', decide, 'export const most = (a: number, b: number) => Math.max(a, b);', null],
  ...['events', 'upcasts', 'schema', 'state', 'command', 'query', 'policy', 'process', 'view', 'projection'].flatMap((role) => [
    [`a clock in a ${role} file`, (n) => `libs/approvals/src/planted-${n}.${role}.ts`, 'export const now = Date.now();', syntax],
    [`chance in a ${role} file`, (n) => `libs/approvals/src/planted-${n}.${role}.ts`, 'export const dice = Math.random();', syntax],
    [`the network in a ${role} file`, (n) => `libs/approvals/src/planted-${n}.${role}.ts`, "export const answer = fetch('http://127.0.0.1');", globals],
  ]),
  ['a clock in a contract', () => 'libs/clocked/src/contract.ts', 'export const now = Date.now();', syntax],
  ['chance in a contract', () => 'libs/lucky/src/contract.ts', 'export const dice = Math.random();', syntax],
  ['the network in a contract', () => 'libs/wired/src/contract.ts', "export const answer = fetch('http://127.0.0.1');", globals],
  ['a clock in the kernel', (n) => `libs/kernel/src/planted-${n}.ts`, 'export const now = Date.now();', syntax],
  ['a clock in a shell', (n) => `libs/approvals/src/planted-${n}.handler.ts`, 'export const now = Date.now();', null],

  ...['EventBus', 'EventPublisher', 'EventsHandler', 'Saga', 'AggregateRoot', 'ofType'].map((name) => [
    `the framework's ${name}`, (n) => `libs/approvals/src/planted-${n}.module.ts`, `import { ${name} } from '@nestjs/cqrs';\nexport const used = ${name};`, imports,
  ]),
  ["a type of the framework's event bus", (n) => `apps/gateway/src/planted-${n}.ts`, "import type { IEventHandler } from '@nestjs/cqrs';\nexport type Used = IEventHandler<object>;", imports],
  ["all of the framework's buses", (n) => `apps/gateway/src/planted-${n}.ts`, "import * as cqrs from '@nestjs/cqrs';\nexport const used = cqrs;", imports],
  ["a re-export of the framework's event bus", (n) => `libs/cqrs/src/planted-${n}.ts`, "export { EventBus } from '@nestjs/cqrs';", imports],
  ["the framework's buses, imported later", (n) => `apps/gateway/src/planted-${n}.ts`, "export const used = () => import('@nestjs/cqrs');", syntax],
  ["the framework's command and query buses", (n) => `libs/cqrs/src/planted-${n}.ts`, "import { CommandBus, QueryBus } from '@nestjs/cqrs';\nexport const used = [CommandBus, QueryBus];", null],

  ...['Number(event.position)', 'Number(event.position!)', 'Number.parseInt(event.position, 10)', 'parseInt(event.position)', '+event.position', 'Number(minPosition)', 'parseFloat(minPosition)', '+minPosition'].map((expression) => [
    `a position as a number: ${expression}`, (n) => `libs/approvals/src/planted-${n}.handler.ts`,
    `export const at = (event: { position: string }, minPosition: string) => [event, minPosition, ${expression}];`, syntax,
  ]),
  ['a version as a number', (n) => `libs/approvals/src/planted-${n}.handler.ts`, 'export const at = (row: { version: string }) => Number(row.version);', null],

  ['a promise nobody waits for', (n) => `libs/approvals/src/planted-${n}.handler.ts`, 'export const go = (work: () => Promise<void>) => {\n  work();\n};', `${typed}no-floating-promises`],
  ['a promise as a condition', (n) => `libs/approvals/src/planted-${n}.handler.ts`, 'export const go = (work: () => Promise<boolean>) => (work() ? 1 : 2);', `${typed}no-misused-promises`],
  ['a forgotten case', (n) => `libs/approvals/src/planted-${n}.state.ts`, "export const name = (x: 'a' | 'b') => {\n  switch (x) {\n    case 'a':\n      return 1;\n  }\n  return 2;\n};", `${typed}switch-exhaustiveness-check`],
  ['any', (n) => `libs/approvals/src/planted-${n}.handler.ts`, 'export const x = (y: any) => [y];', `${typed}no-explicit-any`],
  ['an unused name', (n) => `libs/approvals/src/planted-${n}.handler.ts`, 'const x = 1;\nexport {};', `${typed}no-unused-vars`],
  ['a skipped test', (n) => `libs/approvals/src/planted-${n}.spec.ts`, "import { it } from '@jest/globals';\nit.skip('x', () => undefined);", syntax],
  ['a lonely test', (n) => `libs/approvals/src/planted-${n}.spec.ts`, "import { it } from '@jest/globals';\nit.only('x', () => undefined);", syntax],
];

export const plantedCode = list.map(([label, file, code, rule], n) => ({ label, file: file(n), code, rule }));
