import { pointerTo } from '../pointer';
import type { FieldError } from '../problem';

/** Deeper than any tool schema in practice; the checks below and those of schemas recurse. */
export const MAX_DEPTH = 64;

type Path = { readonly above: Path; readonly step: string | number } | undefined;

/**
 * The first thing in a parsed JSON value that cannot be stored or passed on unchanged, or undefined.
 * Numbers beyond 2^53 − 1 are refused whatever their notation: JSON.parse has rounded them already, so their digits are lost.
 * NUL cannot be stored by PostgreSQL, a lone surrogate has no UTF-8, and the prototype keys are harmless only until somebody copies them.
 */
export const firstFault = (value: unknown): FieldError | undefined => inspect(value, undefined, 0);

const inspect = (value: unknown, path: Path, depth: number): FieldError | undefined => {
  const wrong = scalarFault(value);
  if (wrong !== undefined) return fault(path, wrong);
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === MAX_DEPTH) return fault(path, `Nested deeper than ${MAX_DEPTH} levels`);
  return Array.isArray(value) ? inspectItems(value, path, depth) : inspectFields(value as Record<string, unknown>, path, depth);
};

const inspectItems = (items: readonly unknown[], path: Path, depth: number) => {
  for (const [index, item] of items.entries()) {
    const found = inspect(item, { above: path, step: index }, depth + 1);
    if (found) return found;
  }
  return undefined;
};

const inspectFields = (fields: Readonly<Record<string, unknown>>, path: Path, depth: number) => {
  for (const key of Object.keys(fields)) {
    const field = fields[key];
    const wrong = textFault(key) ?? prototypeFault(key, field);
    const found = wrong === undefined ? inspect(field, { above: path, step: key }, depth + 1) : fault({ above: path, step: key }, wrong);
    if (found) return found;
  }
  return undefined;
};

const scalarFault = (value: unknown): string | undefined => {
  if (typeof value === 'string') return textFault(value);
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? 'A number beyond 2^53 − 1; send it as text' : undefined;
};

/** What is wrong with a text from outside, or undefined. */
export const textFault = (text: string): string | undefined => {
  if (text.includes('\0')) return 'Text with a NUL character';
  return text.isWellFormed() ? undefined : 'Text with a lone surrogate';
};

const prototypeFault = (key: string, value: unknown) =>
  key === '__proto__' || (key === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype'))
    ? 'A reserved name'
    : undefined;

const fault = (path: Path, detail: string): FieldError => {
  const steps: (string | number)[] = [];
  for (let at = path; at; at = at.above) steps.unshift(at.step);
  return { pointer: pointerTo(steps).toWellFormed(), detail };
};
