/** Every text in a JSON value, names of members included, with where it stands. */
export const textsIn = (value: unknown, path = ''): readonly { readonly path: string; readonly text: string }[] => {
  if (typeof value === 'string') return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((each: unknown, nr) => textsIn(each, `${path}/${nr}`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => [{ path: `${path}/${name}`, text: name }, ...textsIn(each, `${path}/${name}`)]);
};

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every object in a JSON value with where it stands, the outer ones first. */
export const objectsIn = (value: unknown, path = ''): readonly { readonly path: string; readonly object: Readonly<Record<string, unknown>> }[] => {
  if (Array.isArray(value)) return value.flatMap((each: unknown, nr) => objectsIn(each, `${path}/${nr}`));
  if (!isObject(value)) return [];
  return [{ path, object: value }, ...Object.entries(value).flatMap(([name, each]) => objectsIn(each, `${path}/${name}`))];
};
