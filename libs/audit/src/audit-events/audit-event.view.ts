import type { Metadata } from '@app/kernel';
import { z } from 'zod';

const Actor = z.object({ kind: z.string(), id: z.string(), role: z.string().optional(), userId: z.string().optional() });

/**
 * An event as it was written, never brought to a newer version. `actor` repeats what `metadata` says. The canonical JSON of all members but
 * `actor` and `chain` is what `chain.leaf` is the sha256 of. Positions are text because they may exceed 2^53.
 */
export const AuditEventView = z
  .object({
    position: z.string(),
    streamId: z.string(),
    version: z.int(),
    eventId: z.string(),
    type: z.string(),
    schemaVersion: z.int(),
    siteId: z.string(),
    occurredAt: z.string(),
    actor: Actor,
    data: z.json(),
    metadata: z.looseObject({ actor: Actor, correlationId: z.string(), commandId: z.string() }),
    chain: z.object({ leaf: z.string(), batch: z.string() }),
  })
  .meta({ id: 'AuditEvent' });
export type AuditEventView = Readonly<z.infer<typeof AuditEventView>>;

/** As the log holds it: data and metadata are the very texts that were hashed. */
type Stored = Omit<AuditEventView, 'position' | 'actor' | 'data' | 'metadata' | 'chain'> & {
  readonly position: bigint;
  readonly data: string;
  readonly metadata: string;
  readonly leaf: { toString(encoding: 'hex'): string };
  readonly batch: bigint;
};

export const auditEventView = ({ position, leaf, batch, data, metadata: text, ...event }: Stored): AuditEventView => {
  const metadata = JSON.parse(text) as Metadata;
  return {
    ...event,
    position: String(position),
    actor: metadata.actor,
    data: JSON.parse(data) as AuditEventView['data'],
    metadata,
    chain: { leaf: leaf.toString('hex'), batch: String(batch) },
  };
};
