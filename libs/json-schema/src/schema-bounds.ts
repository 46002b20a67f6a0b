import { isSchemaObject, LISTS_OF_SCHEMAS, MAPS_OF_SCHEMAS, SCHEMAS, type SchemaObject } from './schema-keywords';

/**
 * Compiling costs by the number of schemas (2 000 take about 300 ms), checking a value by how many of them apply to it once references are
 * followed: 30 definitions that name each other twice are 1 kB of text and a billion steps. Both are bounded before anything is compiled.
 */
const MAX_DEPTH = 64;
const MAX_SCHEMAS = 2_000;
const MAX_EXPANDED = 20_000;
const MAX_VALUES = 50_000;
const MAX_CHAIN = 500;
const MAX_STEPS = 1_000_000;

/** Applied to the same value as the schema they stand in, and so able to multiply its cost without any input. */
const IN_PLACE = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas']);
const DEFINITIONS = new Set(['$defs', 'definitions']);
const ANY_PROPERTY = 'property';

type Child = { readonly key: string; readonly name: string; readonly schema: SchemaObject };
/** `slot` is null for a schema that speaks about the same value. */
type Applied = { readonly schema: SchemaObject; readonly slot: string | null };

/** Why a schema costs too much to compile or to check, or undefined. Reads every part once, without recursion over what a stranger nested. */
export const boundsProblem = (root: SchemaObject): string | undefined => {
  const tooDeep = depthProblem(root);
  if (tooDeep !== undefined) return tooDeep;
  const schemas = schemasIn(root);
  if (schemas.length > MAX_SCHEMAS) return `The schema has more than ${MAX_SCHEMAS} parts`;
  try {
    new Expansion(root).check();
    return undefined;
  } catch (error) {
    if (error instanceof TooCostly) return error.message;
    throw error;
  }
};

const depthProblem = (root: unknown): string | undefined => {
  let values = 0;
  const waiting: [unknown, number][] = [[root, 1]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [value, depth] = next;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > MAX_DEPTH) return `The schema is nested more than ${MAX_DEPTH} levels deep`;
    const inner = Object.values(value);
    values += inner.length;
    if (values > MAX_VALUES) return `The schema has more than ${MAX_VALUES} values`;
    for (const each of inner) waiting.push([each, depth + 1]);
  }
  return undefined;
};

const childrenOf = (schema: SchemaObject): Child[] =>
  Object.entries(schema).flatMap(([key, value]) => {
    if (MAPS_OF_SCHEMAS.has(key) && isSchemaObject(value)) {
      return Object.entries(value).flatMap(([name, each]) => (isSchemaObject(each) ? [{ key, name, schema: each }] : []));
    }
    if (LISTS_OF_SCHEMAS.has(key) && Array.isArray(value)) return value.filter(isSchemaObject).map((each) => ({ key, name: '', schema: each }));
    if (SCHEMAS.has(key) && isSchemaObject(value)) return [{ key, name: '', schema: value }];
    return [];
  });

const schemasIn = (root: SchemaObject): readonly SchemaObject[] => {
  const found: SchemaObject[] = [root];
  for (let at = 0; at < found.length && found.length <= MAX_SCHEMAS; at++) for (const { schema } of childrenOf(found[at]!)) found.push(schema);
  return found;
};

class TooCostly extends Error {}

/** How many schemas apply once every reference is followed. A schema that comes back to itself may do so once per place of the input. */
class Expansion {
  private readonly sizes = new Map<SchemaObject, number>();
  private readonly open = new Map<SchemaObject, number>();
  private readonly applied = new Map<SchemaObject, readonly Applied[]>();
  private recursive = false;
  private steps = 0;

  constructor(private readonly root: SchemaObject) {}

  check(): void {
    this.sizeOf(this.root, 0);
    if (this.recursive) for (const schema of this.applied.keys()) this.refuseBranchingCycle(schema);
  }

  /** `level` counts the steps into the input; a cycle that takes none would never end. */
  private sizeOf(schema: SchemaObject, level: number): number {
    const known = this.sizes.get(schema);
    if (known !== undefined) return known;
    const since = this.open.get(schema);
    if (since !== undefined) {
      if (since === level) throw new TooCostly('The schema refers to itself without end');
      this.recursive = true;
      return 0;
    }
    // The nesting of the text is bounded already, but references can chain every definition to the next.
    if (this.open.size >= MAX_CHAIN) throw new TooCostly('The schema refers too far');
    this.open.set(schema, level);
    let size = 1;
    for (const { schema: child, slot } of this.appliedBy(schema)) {
      size += this.sizeOf(child, slot === null ? level : level + 1);
      if (size > MAX_EXPANDED) throw new TooCostly(`The schema grows to more than ${MAX_EXPANDED} parts when its references are followed`);
    }
    this.open.delete(schema);
    this.sizes.set(schema, size);
    return size;
  }

  private appliedBy(schema: SchemaObject): readonly Applied[] {
    const known = this.applied.get(schema);
    if (known) return known;
    const children = childrenOf(schema).flatMap(({ key, name, schema: child }): Applied[] =>
      DEFINITIONS.has(key) ? [] : [{ schema: child, slot: IN_PLACE.has(key) ? null : slotOf(key, name) }],
    );
    const target = this.target(schema['$ref']);
    if (target) children.push({ schema: target, slot: null });
    this.applied.set(schema, children);
    return children;
  }

  /** Only references inside of the document can be followed; the compiler refuses all others. */
  private target(ref: unknown): SchemaObject | undefined {
    if (ref === '#') return this.root;
    if (typeof ref !== 'string' || !ref.startsWith('#/')) return undefined;
    let at: unknown = this.root;
    for (const part of ref.slice(2).split('/')) {
      const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
      at = typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as SchemaObject)[name] : undefined;
    }
    return isSchemaObject(at) ? at : undefined;
  }

  /** A schema that reaches itself twice at one and the same place of the input doubles its work with every level of the input. */
  private refuseBranchingCycle(schema: SchemaObject): void {
    const reaching = this.reaching(schema);
    const times = new Map<string, number>();
    const inPlace: SchemaObject[] = [schema];
    for (let at = 0; at < inPlace.length; at++) {
      for (const { schema: child, slot } of this.appliedBy(inPlace[at]!)) {
        this.step();
        if (slot === null) inPlace.push(child);
        else if (reaching.has(child)) times.set(slot, (times.get(slot) ?? 0) + 1);
      }
    }
    const others = times.get(ANY_PROPERTY) ?? 0;
    const most = Math.max(others, ...[...times].map(([slot, count]) => (slot.startsWith('/') ? count + others : count)));
    if (most > 1) throw new TooCostly('The schema refers to itself more than once at the same place');
  }

  /** Every schema from which this one can be reached. */
  private reaching(target: SchemaObject): ReadonlySet<SchemaObject> {
    const found = new Set([target]);
    for (const schema of found) {
      for (const [from, applied] of this.applied) {
        this.step();
        if (applied.some((each) => each.schema === schema)) found.add(from);
      }
    }
    return found;
  }

  private step(): void {
    if (++this.steps > MAX_STEPS) throw new TooCostly('The schema refers to itself in too many ways');
  }
}

/** Which place of the input a schema speaks about; keywords that may meet at one place share a slot. */
const slotOf = (key: string, name: string): string =>
  key === 'properties' ? `/${name}` : key === 'propertyNames' ? key : key.endsWith('Properties') ? ANY_PROPERTY : 'element';

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};
