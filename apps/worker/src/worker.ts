import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { Connection } from '@app/database';
import { CheckpointFile, checkpointsBehind, CheckpointSigner, Consumers, describeAlarm, Leases, LeaseWakes, SigningKey, type EventStore, type Executor } from '@app/event-store';
import { agentMetricsConsumer, type DomainSpans } from '@app/observability';
import { OutboundLinks, Reconciler } from '@app/intents';
import { OutboundHttp } from '@app/outbound';
import type { EventShapes, NatsLink } from '@app/nats';
import { ProjectionsRuntime, type AnyProjection, type ProjectionProgress, type ReadModels } from '@app/projections';
import type { IdempotencyStore } from '@app/http';
import type { Vault, VaultPayloads } from '@app/vault';
import { SignedWebhook, VaultSigningSecret } from '@app/webhooks';
import { Client, type Pool } from 'pg';
import { approvalExpiry } from './approval-expiry';
import { CheckpointWebhook, type CheckpointWebhookTarget } from './checkpoint-webhook';
import { cdcDeliveries } from './cdc-deliveries';
import { deploymentOutcomes } from './deployment-outcomes';
import { ReadModelItemPages } from './item-pages';
import { startNatsRelay } from './nats-relay';
import { notifications, type Reach } from './notifications';
import { keyDestruction, memoryKeyDestruction } from './key-destruction';
import { RunTraces, runForgetting } from './run-traces';
import { sparingly } from './sparingly';
import { vetoCommits } from './veto-commits';

export type WorkerOptions = {
  readonly connection: Connection;
  readonly pool: Pool;
  readonly store: EventStore;
  readonly executor: Executor;
  readonly reads: ReadModels;
  readonly projections: readonly AnyProjection[];
  readonly progress: ProjectionProgress;
  readonly dataDir: string;
  readonly vault: Vault;
  readonly payloads: VaultPayloads;
  readonly idempotency: IdempotencyStore;
  readonly spans?: DomainSpans | undefined;
  readonly nats?: NatsLink | undefined;
  readonly checkpointWebhook?: CheckpointWebhookTarget | undefined;
  readonly shapes: EventShapes;
  readonly reach: Reach;
};

/** What follows the log: read models, deadlines, and the signing of its chain head. Several processes may run it; leases decide who leads. */
export const startWorker = async ({ connection, pool, store, executor, reads, projections, progress, dataDir, vault, payloads, idempotency, spans, nats, checkpointWebhook, shapes, reach }: WorkerOptions) => {
  const log = new Logger('Worker');
  const warn = sparingly((sentence) => log.warn(sentence));
  const runtime = new ProjectionsRuntime({
    connection, store, projections, progress, observer: spans?.projected,
    onAlarm: ({ projection, position, error }) => log.error(`Read model ${projection} stopped at position ${position}: ${error}`),
    onError: (error) => warn(`Read models: ${String(error)}`),
  });
  await runtime.start();
  const directory = join(dataDir, 'audit');
  const unsigned = (error: unknown) => log.error(`The chain head was not signed: ${String(error)}`);
  const signer = new CheckpointSigner({ pool, key: await SigningKey.of(directory), file: new CheckpointFile(directory), onError: unsigned });
  signer.start();
  const wakes = new LeaseWakes(() => new Client(connection));
  const consumers = new Consumers(store, pool, new Leases(pool), { wakes, onAlarm: (alarm) => log.error(describeAlarm(alarm)) });
  const sender = checkpointWebhook && new CheckpointWebhook({
    target: checkpointWebhook, db: pool, behind: (position, limit) => checkpointsBehind(pool, position, limit), onError: (error) => warn(`Checkpoint webhook: ${String(error)}`),
    webhook: new SignedWebhook({ outbound: new OutboundHttp(), secrets: vault, signing: new VaultSigningSecret(vault) }),
  });
  sender?.start();
  const relay = startNatsRelay({ link: nats, pool, store, wakes, shapes });
  const expiry = approvalExpiry({ db: pool, consumers, executor, onError: (error) => warn(`Approval expiry: ${String(error)}`) });
  expiry.start();
  consumers.subscribe(agentMetricsConsumer());
  consumers.subscribe(keyDestruction(vault));
  consumers.subscribe(memoryKeyDestruction(vault));
  consumers.subscribe(runForgetting(new RunTraces({ pool, payloads, idempotency })));
  const commits = vetoCommits({ pool, consumers, store, executor, reads, onError: (error) => warn(`Veto window: ${String(error)}`) });
  commits.start();
  const reconciler = new Reconciler({
    db: pool, consumers, store, executor, pages: new ReadModelItemPages(reads), links: new OutboundLinks(new OutboundHttp(), executor),
    onError: (error) => warn(`Intents: ${String(error)}`),
  });
  reconciler.start();
  const deliveries = cdcDeliveries({ pool, store, executor, vault, wakes, nats, shapes, onError: (error) => warn(`Deliveries: ${String(error)}`) });
  deliveries.start();
  const outcomes = deploymentOutcomes({ db: pool, consumers, executor, onError: (error) => warn(`Deployments: ${String(error)}`) });
  outcomes.start();
  const teller = notifications({ db: pool, consumers, executor, vault, reach, onError: (error) => warn(`Notifications: ${String(error)}`) });
  teller.start();
  // A step that fails, because the database is away for instance, holds up no other; the next start catches up and signs.
  const steps = [() => expiry.stop(), () => commits.stop(), () => reconciler.stop(), () => deliveries.stop(), () => outcomes.stop(), () => teller.stop(), () => consumers.stop(), () => runtime.stop(), () => signer.stop(), () => Promise.resolve(sender?.stop()), () => relay.stop(), () => wakes.close()];
  return {
    consumers,
    stop: async () => {
      for (const step of steps) await step().catch((error: unknown) => log.error(`A part of the worker did not end well: ${String(error)}`));
    },
  };
};
