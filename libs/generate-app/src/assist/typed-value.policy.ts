import type { Field } from '@app/content/contract';
import { takes } from '../specs/sample-value.policy';

/** Patterns are held against a value when it is written; here only its type and bounds count. */
export const typed = ({ constraints, ...field }: Field, value: unknown): boolean => {
  const { pattern: _pattern, ...bounds } = constraints ?? {};
  return takes({ ...field, constraints: bounds }, value);
};
