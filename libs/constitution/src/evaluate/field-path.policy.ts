/** The values a dot path leads to. Own members only; a list on the way means each of its elements, unless the step is the number of one. */
export const valuesAt = (content: unknown, path: string): readonly unknown[] =>
  path.split('.').reduce<readonly unknown[]>((values, step) => values.flatMap((value) => stepInto(value, step)), [content]);

const stepInto = (value: unknown, step: string): readonly unknown[] => {
  if (Array.isArray(value)) return /^\d{1,6}$/.test(step) ? [value[Number(step)]] : value.flatMap((element: unknown) => stepInto(element, step));
  return typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? [(value as Record<string, unknown>)[step]] : [undefined];
};
