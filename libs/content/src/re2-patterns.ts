import { matchesPattern, patternProblem } from '@app/json-schema';
import type { Patterns } from './field.policy';

/** Patterns of fields run on the linear-time engine; decisions get it as a value. */
export const re2Patterns: Patterns = { problem: patternProblem, matches: matchesPattern };
