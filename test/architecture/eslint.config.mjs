import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const outside = [
  'process',
  'fetch',
  'WebSocket',
  'EventSource',
  'navigator',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'AbortSignal',
  'crypto',
  'console',
  'Buffer',
  'performance',
  'Temporal',
  'globalThis',
  'global',
  'require',
];
const clock = 'Take `now` from the context.';
const clockAndChance = [
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: clock },
  { selector: "CallExpression[callee.name='Date']", message: clock },
  {
    selector: "MemberExpression[object.name='Date'][property.name='now'], MemberExpression[object.name='Date'][computed=true]",
    message: clock,
  },
  {
    selector: "VariableDeclarator > Identifier.init[name='Date'], VariableDeclarator[init.name='Math']",
    message: 'Use it by its own name, so that a reader and this rule can see it.',
  },
  {
    selector: "MemberExpression[object.name='Math'][property.name='random'], MemberExpression[object.name='Math'][computed=true]",
    message: 'Take ids and chance from the command.',
  },
  { selector: ':function[async=true], AwaitExpression', message: 'A decision never waits.' },
];
const noThrow = [{ selector: 'ThrowStatement', message: 'Return reject(...) instead.' }];

const position = '/(^p|P)osition$/';
const positions = [
  'MemberExpression[property.name=%]',
  'Identifier[name=%]',
  'TSNonNullExpression[expression.property.name=%]',
  'TSNonNullExpression[expression.name=%]',
];
const numbers = [
  ['CallExpression[callee.name=/^(Number|parseInt|parseFloat)$/]', 'arguments'],
  ["CallExpression[callee.object.name='Number']", 'arguments'],
  ["UnaryExpression[operator='+']", 'argument'],
];
const positionsStayBig = numbers.map(([call, field]) => ({
  selector: positions.map((kind) => `${call} > ${kind.replace('[', `.${field}[`).replaceAll('%', position)}`).join(', '),
  message: 'A log position is a bigint, and a string on the wire: as a number it loses digits above 2^53.',
}));
const everywhere = [
  ...positionsStayBig,
  {
    selector: "ImportExpression[source.value='@nestjs/cqrs']",
    message: 'Import the two buses by name, so that this rule sees what is used.',
  },
];
const nothingSkipped = [
  {
    selector: 'MemberExpression[object.name=/^(it|test|describe)$/][property.name=/^(only|skip|todo|failing)$/]',
    message: 'A test that does not run proves nothing.',
  },
  { selector: 'CallExpression[callee.name=/^(xit|xtest|xdescribe|fit|fdescribe)$/]', message: 'A test that does not run proves nothing.' },
];

const pure = ['events', 'upcasts', 'schema', 'state', 'command', 'query', 'decide', 'policy', 'process', 'view', 'projection'].map(
  (role) => `{apps,libs}/**/*.${role}.ts`,
);

/** What the text of one file shows. The import rules are in `dependency-cruiser.cjs`. */
export const syntactic = defineConfig(
  {
    files: ['**/*.ts'],
    plugins: { '@typescript-eslint': tseslint.plugin },
    languageOptions: { parser: tseslint.parser },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'max-lines': ['warn', { max: 200, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': ['error', ...everywhere],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@nestjs/cqrs',
              importNames: [
                'EventBus',
                'EventPublisher',
                'EventsHandler',
                'Saga',
                'AggregateRoot',
                'UnhandledExceptionBus',
                'IEventBus',
                'IEventHandler',
                'IEventPublisher',
                'ISaga',
                'ofType',
              ],
              message: 'It keeps no checkpoint and swallows errors: use a projection, a process or the relay.',
            },
          ],
        },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: [...pure, 'libs/*/src/contract.ts', 'libs/kernel/src/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/testing/**'],
    rules: { 'no-restricted-globals': ['error', ...outside], 'no-restricted-syntax': ['error', ...everywhere, ...clockAndChance] },
  },
  { files: ['{apps,libs}/**/*.decide.ts'], rules: { 'no-restricted-syntax': ['error', ...everywhere, ...clockAndChance, ...noThrow] } },
  { files: ['**/*.spec.ts'], rules: { 'no-restricted-syntax': ['error', ...everywhere, ...nothingSkipped] } },
);

/** What only the types show; needs the whole program. */
const typed = defineConfig({
  files: ['**/*.ts'],
  languageOptions: { parserOptions: { projectService: true } },
  rules: {
    '@typescript-eslint/no-floating-promises': 'error',
    '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
    '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  },
});

export default [...syntactic, ...typed];
