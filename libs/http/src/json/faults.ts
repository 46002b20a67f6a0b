import { pointerTo } from '../pointer';
import type { FieldError } from '../problem';

type Fault = { readonly steps: (string | number)[]; readonly detail: string };

/**
 * The first thing in a parsed JSON value that cannot be stored or passed on unchanged, or undefined.
 * Numbers beyond 2^53 − 1 are refused whatever their notation: JSON.parse has rounded them already, so their digits are lost.
 * NUL cannot be stored by PostgreSQL, a lone surrogate has no UTF-8, and the prototype keys are harmless only until somebody copies them.
 * `anyText` says that texts need a look. `isTooDeep` has been asked before, so recursion is safe.
 */
export const firstFault = (value: unknown, anyText: boolean): FieldError | undefined => {
  const found = inspect(value, anyText);
  return found && { pointer: pointerTo(found.steps).toWellFormed(), detail: found.detail };
};

/** The steps to a fault are gathered on the way out, so that a sound body costs no allocation. */
const inspect = (value: unknown, anyText: boolean): Fault | undefined => {
  if (typeof value === 'string') return anyText ? faultOf(textFault(value)) : undefined;
  if (typeof value === 'number') return faultOf(Math.abs(value) > Number.MAX_SAFE_INTEGER ? 'A number beyond 2^53 − 1; send it as text' : undefined);
  if (typeof value !== 'object' || value === null) return undefined;
  return Array.isArray(value) ? inspectItems(value, anyText) : inspectFields(value as Record<string, unknown>, anyText);
};

const inspectItems = (items: readonly unknown[], anyText: boolean): Fault | undefined => {
  for (let index = 0; index < items.length; index++) {
    const found = inspect(items[index], anyText);
    if (found) return within(index, found);
  }
  return undefined;
};

const inspectFields = (fields: Readonly<Record<string, unknown>>, anyText: boolean): Fault | undefined => {
  for (const key of Object.keys(fields)) {
    const found = faultOf((anyText ? textFault(key) : undefined) ?? prototypeFault(key, fields[key])) ?? inspect(fields[key], anyText);
    if (found) return within(key, found);
  }
  return undefined;
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

const faultOf = (detail: string | undefined): Fault | undefined => (detail === undefined ? undefined : { steps: [], detail });

const within = (step: string | number, fault: Fault): Fault => {
  fault.steps.unshift(step);
  return fault;
};
