import { z } from 'zod';

/** The chain after the event at `position`, as hex, signed with Ed25519 (base64) over the canonical JSON of chain, position and signedAt. */
export const CheckpointView = z
  .object({ position: z.string(), chain: z.string(), signedAt: z.string(), keyId: z.string(), signature: z.string() })
  .meta({ id: 'SignedCheckpoint' });
export type CheckpointView = Readonly<z.infer<typeof CheckpointView>>;
