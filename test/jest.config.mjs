import { readFileSync } from 'node:fs';

if (Number(process.versions.node.split('.')[0]) < 24)
  throw new Error(`This is Node ${process.version}. Run the tests through npm, which brings Node 24 along: npm test -- <file>`);

const swc = JSON.parse(readFileSync(new URL('../.swcrc', import.meta.url), 'utf8'));
delete swc.module;

const common = {
  rootDir: import.meta.dirname + '/..',
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swc, swcrc: false }] },
  moduleNameMapper: {
    '^fast-check$': '<rootDir>/test/fast-check.ts',
    '^@app/([^/]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^@app/([^/]+)/testing$': '<rootDir>/libs/$1/src/testing/index.ts',
    '^@app/([^/]+)/(.+)$': '<rootDir>/libs/$1/src/$2',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  setupFiles: ['<rootDir>/test/setup.ts'],
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
};
/** What specs of whole servers import of the product, but for its helpers of tests, which are not compiled. */
const product = `^${import.meta.dirname.replace(/\/test$/, '').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}/(apps|libs)/[^/]+/src/(?!(.*/)?testing/).+(?<!\\.(spec|examples))\\.ts$`;
const withDatabase = { globalSetup: '<rootDir>/test/global-setup.ts', globalTeardown: '<rootDir>/test/global-teardown.ts' };

/**
 * The file name tells the cost. `*.spec.ts`: pure, no database. `*.int.spec.ts`: real PostgreSQL, own database. `test/e2e`: whole server
 * processes over HTTP. @type {import('jest').Config}
 */
export default {
  rootDir: '..',
  testSequencer: '<rootDir>/test/sequencer.mjs',
  reporters: ['default', '<rootDir>/test/closing-line.mjs', '<rootDir>/test/stalled-run.mjs'],
  // The suite waits as much as it computes (61 % of two cores with two workers): one more takes a third off the time.
  maxWorkers: 3,
  workerIdleMemoryLimit: '1500MB',
  testTimeout: 60_000,
  projects: [
    { ...common, displayName: 'unit', testMatch: ['<rootDir>/{apps,libs,test}/**/*.spec.ts'], testPathIgnorePatterns: ['/node_modules/', '\\.int\\.spec\\.ts$', '<rootDir>/test/e2e/'] },
    { ...common, ...withDatabase, displayName: 'integration', testMatch: ['<rootDir>/{apps,libs,test}/**/*.int.spec.ts'], testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/'] },
    {
      ...common, ...withDatabase, displayName: 'e2e',
      transform: { [product]: ['<rootDir>/test/e2e/built-code.mjs', { ...swc, swcrc: false }], ...common.transform },
      testMatch: ['<rootDir>/test/e2e/**/*.spec.ts'],
    },
  ],
};
