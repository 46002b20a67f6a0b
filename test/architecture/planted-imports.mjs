const decide = 'libs/approvals/src/decide-approval/decide-approval.decide.ts';
const command = 'libs/approvals/src/decide-approval/decide-approval.command.ts';
const events = 'libs/approvals/src/approval.events.ts';
const state = 'libs/approvals/src/approval.state.ts';
const module = 'libs/approvals/src/approvals.module.ts';
const view = 'libs/approvals/src/approval-list/approval.view.ts';
const projection = 'libs/approvals/src/approval-list/approvals.projection.ts';
const contract = 'libs/approvals/src/contract.ts';
const process = 'libs/processes/src/veto-window.process.ts';
const cycle = 'no-cycles';
const pure = 'pure-stays-pure';
const contracts = 'capabilities-meet-at-contracts';
const platform = 'platform-knows-no-capability';

/** One import line at a time: where it is planted, what it is, and the rule that must report it (null: it is allowed). */
export const plantedImports = [
  ['a cycle of values', 'libs/kernel/src/result.ts', `import './index';`, cycle],
  ['a cycle of types', events, `import type { Approval } from './approval.state';`, cycle],
  ['a cycle of types through a contract', events, `import type { ApprovalEvent as Own } from '@app/approvals/contract';`, cycle],
  ['a cycle of types between libraries', contract, `export type { reader } from '@app/tool-calls/reader';`, cycle],

  ['a decision that imports the framework', decide, `import '@nestjs/common';`, pure],
  ['a decision that imports the event store', decide, `import '@app/event-store';`, pure],
  ['a decision that imports chance', decide, `import 'node:crypto';`, pure],
  ['a decision that imports the network', decide, `import 'node:http';`, pure],
  ['a decision that imports a clock', decide, `import 'node:timers/promises';`, pure],
  ['a decision that imports later, inside a function', decide, `export const late = () => import('node:fs');`, pure],
  ['a decision that imports its handler', decide, `import './decide-approval.handler';`, pure],
  ['a decision that imports a projection', decide, `import '../approval-list/approvals.projection';`, pure],
  ['a command that imports the bus', command, `import '@nestjs/cqrs';`, pure],
  ['a query that imports a driver', 'libs/approvals/src/get-approval.query.ts', `import 'pg';`, pure],
  ['events that import a driver', events, `import 'pg';`, pure],
  ['upcasts that import the file system', 'libs/approvals/src/approval.upcasts.ts', `import 'node:fs';`, pure],
  ['a schema that imports a validator', 'libs/approvals/src/field.schema.ts', `import 'ajv';`, pure],
  ['a state that imports the event store', state, `import type { EventStore } from '@app/event-store';`, pure],
  ['a policy that imports a client', 'libs/approvals/src/who.policy.ts', `import '@nats-io/transport-node';`, pure],
  ['a process that imports the queue', process, `import 'pg-boss';`, pure],
  ['a view that imports an entity mapper', view, `import 'typeorm';`, pure],
  ['a contract that shows a shell file', contract, `export { ApprovalsModule } from './approvals.module';`, pure],
  ['a pure file of a platform library that imports a driver', 'libs/event-store/src/retry.policy.ts', `import 'pg';`, pure],
  ['a projection grammar that imports a driver', 'libs/projections/src/projection.ts', `import 'pg';`, pure],
  ['a state that imports the kernel', state, `import { accept } from '@app/kernel';`, null],
  ['a state that imports the schema library', state, `import 'zod';`, null],
  ['a state that imports a foreign contract', state, `import type { CancelToolCall } from '@app/tool-calls/contract';`, null],
  ['a projection that imports the projection grammar', projection, `import '@app/projections/contract';`, null],

  ['a platform library that imports a contract', 'libs/event-store/src/event-store.ts', `import '@app/approvals/contract';`, platform],
  ['a platform library that imports a capability', 'libs/projections/src/index.ts', `import '@app/approvals';`, platform],
  ['a platform library that imports a type of a capability', 'libs/projections/src/index.ts', `import type { Approved } from '../../approvals/src/approval.events';`, platform],
  ['a platform library that imports the processes', 'libs/event-store/src/event-store.ts', `import '@app/processes';`, platform],
  ['a test of a platform library that imports a capability', 'libs/event-store/src/event-store.spec.ts', `import '@app/approvals/contract';`, platform],
  ['a capability that imports an index of another', 'libs/tool-calls/src/reader.ts', `import '@app/approvals';`, contracts],
  ['a capability that reaches into another', 'libs/tool-calls/src/reader.ts', `import '../../approvals/src/approval.state';`, contracts],
  ['a capability that reaches into another by its alias', 'libs/tool-calls/src/reader.ts', `import type { Approval } from '@app/approvals/approval.state';`, contracts],
  ['a capability nobody has listed that reaches into another', 'libs/brand-new/src/reader.ts', `import '../../approvals/src/approval.state';`, contracts],
  ['a capability that imports the contract of another', 'libs/tool-calls/src/reader.ts', `import type { ApprovalView } from '@app/approvals/contract';`, null],
  ['a capability that imports a platform library', 'libs/tool-calls/src/reader.ts', `import '@app/event-store';`, null],
  ['a capability that imports the processes', 'libs/approvals/src/approvals.module.ts', `import '@app/processes';`, 'capabilities-know-no-process'],
  ['a process that imports an index', process, `import '@app/approvals';`, 'processes-see-contracts-only'],
  ['a process that imports a contract', process, `import type { ApprovalView } from '@app/approvals/contract';`, null],

  ['a deep import between libraries', 'libs/approvals/src/approvals.module.ts', `import '@app/event-store/event-store';`, 'front-doors-only'],
  ['a deep import from an app', 'apps/worker/src/main.ts', `import '../../../libs/approvals/src/approval.state';`, 'front-doors-only'],
  ['a library that goes through its own index', module, `import '@app/approvals';`, 'never-through-the-own-index'],
  ['a kernel that imports a package', 'libs/kernel/src/result.ts', `import 'zod';`, 'kernel-imports-nothing'],
  ['a kernel that imports the machine', 'libs/kernel/src/result.ts', `import 'node:crypto';`, 'kernel-imports-nothing'],
  ['an SDK that imports the framework', 'libs/sdk/src/index.ts', `import '@nestjs/common';`, 'sdk-is-portable'],
  ['an SDK that imports the machine', 'libs/sdk/src/index.ts', `import 'node:fs';`, 'sdk-is-portable'],
  ['an entry of the SDK for NATS that imports the machine', 'libs/sdk/src/nats/subscribe.ts', `import 'node:fs';`, 'sdk-nats-is-apart'],
  ['a command line that imports a capability', 'apps/cli/src/main.ts', `import '@app/approvals';`, 'clients-use-the-sdk'],
  ['a command line that imports another app', 'apps/cli/src/main.ts', `import '../../gateway/src/main';`, 'clients-use-the-sdk'],
  ['a studio that imports the kernel', 'apps/studio/src/main.ts', `import '@app/kernel';`, 'clients-use-the-sdk'],
  ['an app that mounts an index', 'apps/worker/src/main.ts', `import '@app/tool-calls';`, null],
  ['a library that imports an app', 'libs/event-store/src/event-store.ts', `import '../../../apps/worker/src/main';`, 'libraries-know-no-app'],
  ['shipped code that imports a test', module, `import './decide-approval/decide-approval.spec';`, 'test-helpers-stay-in-tests'],
  ['shipped code that imports a test helper', state, `import '@app/kernel/testing';`, 'test-helpers-stay-in-tests'],
  ['an import of nothing', events, `import '@app/nope';`, 'everything-resolves'],
].map(([label, file, line, rule]) => ({ label, file, line, rule }));
