import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical';

/** What names a state by its content: `sha256:` and the hexadecimal hash of its canonical JSON. */
export const stateHash = (state: unknown): string => `sha256:${createHash('sha256').update(canonicalJson(state)).digest('hex')}`;
