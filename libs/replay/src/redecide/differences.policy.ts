/** A place where two JSON values differ; a value that is absent on one side is left out there. `path` is a JSON pointer. */
export type FieldDifference = { readonly path: string; readonly recorded?: unknown; readonly replayed?: unknown };

const MOST = 20;

/** Where two JSON values differ, deepest places first found, at most 20. */
export const fieldDifferences = (recorded: unknown, replayed: unknown): readonly FieldDifference[] => [...differing('', recorded, replayed)].slice(0, MOST);

function* differing(path: string, a: unknown, b: unknown): Generator<FieldDifference> {
  if (Object.is(a, b)) return;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) {
    yield { path, ...(a !== undefined && { recorded: a }), ...(b !== undefined && { replayed: b }) };
    return;
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    yield* differing(`${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, own(a, key), own(b, key));
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

const own = (value: Readonly<Record<string, unknown>>, key: string) => (Object.hasOwn(value, key) ? value[key] : undefined);
