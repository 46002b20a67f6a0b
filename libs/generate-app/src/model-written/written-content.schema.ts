import { z } from 'zod';

export const ArtifactContent = z.record(z.string(), z.json());
/** In characters of JSON; four of them fit into what a run may keep. */
export const ARTIFACT_CONTENT_LIMIT = 120_000;
