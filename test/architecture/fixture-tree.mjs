import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A small copy of the repository's shape in which every rule is kept, each allowed edge occurring once. */
const files = {
  'libs/kernel/src/index.ts': `export { accept, type Decision } from './result';`,
  'libs/kernel/src/result.ts': `export type Decision = { ok: true };\nexport const accept = (): Decision => ({ ok: true });`,
  'libs/kernel/src/testing/index.ts': `export const given = 1;`,
  'libs/event-store/src/index.ts': `export { EventStore } from './event-store';`,
  'libs/event-store/src/event-store.ts': `import type { Decision } from '@app/kernel';\nexport class EventStore {\n  append = (decision: Decision) => decision;\n}`,
  'libs/projections/src/index.ts': `export { projection } from './projection';`,
  'libs/projections/src/contract.ts': `export { projection } from './projection';`,
  'libs/projections/src/projection.ts': `export const projection = <P>(definition: P): P => definition;`,
  'libs/approvals/src/index.ts': `export { ApprovalsModule } from './approvals.module';`,
  'libs/approvals/src/contract.ts': `export type { ApprovalEvent } from './approval.events';\nexport type { ApprovalView } from './approval-list/approval.view';`,
  'libs/approvals/src/approvals.module.ts': `import { Module } from '@nestjs/common';\nimport './decide-approval/decide-approval.handler';\n@Module({})\nexport class ApprovalsModule {}`,
  'libs/approvals/src/approval.events.ts': `import { z } from 'zod';\nexport const Approved = z.object({ id: z.string() });\nexport type ApprovalEvent = { type: 'Approved'; at: string } | { type: 'Rejected'; at: string };`,
  'libs/approvals/src/approval.state.ts': `import type { ApprovalEvent } from './approval.events';\nexport type Approval = { last: ApprovalEvent | null };\nexport const initial: Approval = { last: null };`,
  'libs/approvals/src/decide-approval/decide-approval.command.ts': `import { z } from 'zod';\nexport const DecideApproval = z.object({ id: z.string() });`,
  'libs/approvals/src/decide-approval/decide-approval.decide.ts': `import { accept } from '@app/kernel';\nimport type { Approval } from '../approval.state';\nexport const decideApproval = (state: Approval) => (state.last ? accept() : accept());`,
  'libs/approvals/src/decide-approval/decide-approval.handler.ts': `import { EventStore } from '@app/event-store';\nimport { initial } from '../approval.state';\nimport { decideApproval } from './decide-approval.decide';\nexport const handle = (store: EventStore) => store.append(decideApproval(initial));`,
  'libs/approvals/src/decide-approval/decide-approval.spec.ts': `import { given } from '@app/kernel/testing';\nimport { decideApproval } from './decide-approval.decide';\nexport const spec = [given, decideApproval];`,
  'libs/approvals/src/approval-list/approval.view.ts': `export type ApprovalView = { id: string; position: bigint };`,
  'libs/approvals/src/approval-list/approvals.projection.ts': `import { projection } from '@app/projections';\nimport type { ApprovalView } from './approval.view';\nexport const approvals = projection<{ row: ApprovalView | null }>({ row: null });`,
  'libs/tool-calls/src/index.ts': `export { reader } from './reader';`,
  'libs/tool-calls/src/contract.ts': `export type CancelToolCall = { toolCallId: string };`,
  'libs/tool-calls/src/reader.ts': `import type { ApprovalEvent } from '@app/approvals/contract';\nexport const reader = (event: ApprovalEvent) => event.type;`,
  'libs/processes/src/index.ts': `export { vetoWindow } from './veto-window.process';`,
  'libs/processes/src/veto-window.process.ts': `import type { ApprovalEvent } from '@app/approvals/contract';\nimport type { CancelToolCall } from '@app/tool-calls/contract';\nexport const vetoWindow = (event: ApprovalEvent): CancelToolCall => ({ toolCallId: event.at });`,
  'libs/sdk/src/index.ts': `import type { ApprovalView } from '@app/approvals/contract';\nexport type Client = { approvals: ApprovalView[] };`,
  'apps/gateway/src/main.ts': `import { ApprovalsModule } from '@app/approvals';\nimport { EventStore } from '@app/event-store';\nexport const modules = [ApprovalsModule, EventStore];`,
  'apps/worker/src/main.ts': `import { vetoWindow } from '@app/processes';\nexport const processes = [vetoWindow];`,
  'apps/cli/src/main.ts': `import type { Client } from '@app/sdk';\nexport const run = (client: Client) => client.approvals;`,
  'apps/studio/src/main.ts': `import type { Client } from '@app/sdk';\nexport const show = (client: Client) => client.approvals;`,
};

const libraries = [...new Set(Object.keys(files).flatMap((file) => /^libs\/([^/]+)/.exec(file)?.[1] ?? []))];

const tsconfig = {
  compilerOptions: {
    target: 'ES2024', module: 'ESNext', moduleResolution: 'Bundler', strict: true, experimentalDecorators: true, noEmit: true, types: ['node'],
    paths: Object.fromEntries(libraries.flatMap((name) => [[`@app/${name}`, [`./libs/${name}/src`]], [`@app/${name}/*`, [`./libs/${name}/src/*`]]])),
  },
  include: ['apps', 'libs'],
};

/**
 * Writes the tree into a new temporary folder with the checkout's packages, so nothing is ever planted in the checkout itself.
 * @param {string} checkout
 */
export const makeFixtureTree = (checkout) => {
  const root = mkdtempSync(join(tmpdir(), 'rules-'));
  const write = (file, text) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  for (const [file, text] of Object.entries(files)) write(file, `${text}\n`);
  write('tsconfig.json', JSON.stringify(tsconfig));
  symlinkSync(join(checkout, 'node_modules'), join(root, 'node_modules'));
  return {
    root,
    /** Puts a line on top of a file, which is made if there is none; gives back how to undo it. */
    plant: (file, line) => {
      const before = files[file];
      write(file, before === undefined ? `${line}\n` : `${line}\n${before}\n`);
      return () => (before === undefined ? rmSync(join(root, file)) : write(file, `${before}\n`));
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
};
