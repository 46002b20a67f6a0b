import { createHash } from 'node:crypto';
import { canonicalJson } from '@app/event-store';
import type { Evaluator } from './evaluator.schema';

/** The identity of a constitution: sha256 of the canonical JSON of its evaluators, in hexadecimal. */
export const constitutionHash = (evaluators: readonly Evaluator[]): string => createHash('sha256').update(canonicalJson(evaluators)).digest('hex');
