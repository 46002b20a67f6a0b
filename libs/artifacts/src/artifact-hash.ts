import { createHash } from 'node:crypto';
import { canonicalJson } from '@app/event-store';
import type { ArtifactContent } from './artifact.schema';

/** The identity of content: sha256 of its canonical JSON in hexadecimal, and how many bytes that has in UTF-8. */
export const measured = (content: ArtifactContent): { readonly hash: string; readonly bytes: number } => {
  const bytes = Buffer.from(canonicalJson(content));
  return { hash: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length };
};

export const digestOf = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex');
