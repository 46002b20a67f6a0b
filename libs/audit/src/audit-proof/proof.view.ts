import { z } from 'zod';
import { CheckpointView } from '../audit-checkpoints/checkpoint.view';

const hex = z.string().meta({ pattern: '^[0-9a-f]{64}$' });
const link = z.object({ first: z.string(), last: z.string(), root: hex });

/**
 * A proof that an event is in the log; it verifies offline with the public key alone. `event` is the canonical text whose sha256 is `leaf`;
 * `path` leads to the root of its batch, `links` from there to the signed checkpoint. Nothing in it belongs to another site but hashes.
 */
export const ProofView = z
  .object({
    format: z.literal('harness-proof-1'),
    event: z.string(),
    leaf: hex,
    path: z.array(hex).readonly(),
    batch: link.extend({ previous: hex, chain: hex }),
    links: z.array(link).readonly(),
    checkpoint: CheckpointView,
  })
  .meta({ id: 'InclusionProof' });
export type ProofView = Readonly<z.infer<typeof ProofView>>;
