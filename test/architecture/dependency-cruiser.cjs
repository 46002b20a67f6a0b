/** Who may import whom. A library that is not listed as platform is a capability, so new ones are covered on day one. */
const platforms = 'kernel|cqrs|cron|database|event-store|graphql|http|json-schema|liveness|mcp|messaging|nats|observability|outbound|projections|queue|scheduler|vault|webhooks';
const platform = `^libs/(${platforms})/`;
const capability = `^libs/(?!(?:${platforms}|processes|sdk)/)([^/]+)/`;
const contract = '^libs/[^/]+/src/contract\\.ts$';
/** The role of a file is in its name; commands and queries are messages. Projections may import as they like: only their text is checked. */
const pure = '\\.(events|upcasts|schema|state|command|query|decide|policy|process|view)\\.ts$';
/** The platform's pure part: the words in which a projection is written. */
const grammar = '^libs/projections/src/projection\\.ts$';
const testOnly = '(\\.spec\\.ts$|\\.examples\\.ts$|/testing/|^test/)';
const frontDoors = '^libs/[^/]+/src/(index|contract|testing/index|nats/index)\\.ts$';

const forbid = (name, why, from, to) => ({ name, comment: why, severity: 'error', from, to });

module.exports = {
  forbidden: [
    forbid('no-cycles', 'Data flows one way; type-only cycles count too.', {}, { circular: true }),
    forbid('everything-resolves', 'An edge the checker cannot see is an edge it cannot forbid.', {}, { couldNotResolve: true }),
    forbid(
      'front-doors-only',
      'Between libraries: index, contract or testing.',
      { path: '^(libs/[^/]+|apps/[^/]+)/' },
      { path: '^libs/', pathNot: ['^$1/', frontDoors] },
    ),
    forbid(
      'never-through-the-own-index',
      'Inside a library, relative imports; its index is for others.',
      { path: '^(libs/[^/]+)/', pathNot: testOnly },
      { path: '^$1/src/index\\.ts$' },
    ),
    forbid(
      'kernel-imports-nothing',
      'The kernel is plain TypeScript.',
      { path: '^libs/kernel/', pathNot: testOnly },
      { pathNot: '^libs/kernel/' },
    ),
    forbid(
      'pure-stays-pure',
      'Decisions see the kernel, the schema library, their own pure files and foreign contracts.',
      { path: [`^(libs|apps)/.*${pure}`, contract, grammar] },
      { pathNot: ['^libs/kernel/', 'node_modules/zod/', contract, grammar, pure] },
    ),
    forbid(
      'capabilities-meet-at-contracts',
      'One capability reads another only through its contract.',
      { path: capability, pathNot: testOnly },
      { path: capability, pathNot: ['^libs/$1/', contract] },
    ),
    forbid(
      'processes-see-contracts-only',
      'A process turns events into commands; it never reaches inside.',
      { path: '^libs/processes/', pathNot: testOnly },
      { path: capability, pathNot: contract },
    ),
    forbid(
      'capabilities-know-no-process',
      'Reactions across capabilities are not known to those they connect.',
      { path: capability },
      { path: '^libs/(processes|sdk)/' },
    ),
    forbid(
      'platform-knows-no-capability',
      'The store does not know what is stored.',
      { path: platform },
      { path: [capability, '^libs/(processes|sdk)/'] },
    ),
    forbid(
      'sdk-is-portable',
      'The SDK runs in a browser: the kernel, contracts, and a parser of event streams without any machine in it.',
      { path: '^libs/sdk/', pathNot: [testOnly, '^libs/sdk/src/nats/'] },
      { pathNot: ['^libs/sdk/(?!src/nats/)', '^libs/kernel/', contract, 'node_modules/eventsource-parser/'] },
    ),
    forbid(
      'sdk-nats-is-apart',
      'The SDK for NATS is an entry of its own, for Node: the rest of the SDK, contracts, and the client of NATS.',
      { path: '^libs/sdk/src/nats/', pathNot: testOnly },
      { pathNot: ['^libs/(sdk|kernel)/', contract, 'node_modules/@nats-io/'] },
    ),
    forbid(
      'clients-use-the-sdk',
      'Studio and CLI speak to the API like any other client.',
      { path: '^(apps/(?:studio|cli))/', pathNot: testOnly },
      { path: '^(libs|apps)/', pathNot: ['^libs/sdk/', '^$1/'] },
    ),
    forbid('libraries-know-no-app', 'Apps compose libraries, never the reverse.', { path: '^libs/' }, { path: '^apps/' }),
    forbid('test-helpers-stay-in-tests', 'Shipped code imports no test code.', { pathNot: testOnly }, { path: testOnly }),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
};
