/** The part of JSON Schema 2020-12 that zod writes and this library reads. */
export type JsonSchema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
};

export type Components = Readonly<Record<string, JsonSchema>>;

/** A schema without its reference and without null. `name` is that of its component, when it has one that means something. */
export type Resolved = { readonly schema: JsonSchema; readonly name: string | undefined; readonly nullable: boolean };

const REFERENCE = '#/components/schemas/';

const isNull = ({ type, const: only, enum: values }: JsonSchema) => type === 'null' || only === null || (values?.length === 1 && values[0] === null);

/** Follows references and takes null out. Nameless components (`__schema0`) are the recursive parts of JSON values; their numbers mean nothing. */
export const resolve = (schema: JsonSchema, components: Components): Resolved => {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(REFERENCE.length);
    const found = resolve(components[name] ?? {}, components);
    return { ...found, name: name.startsWith('__') ? undefined : (found.name ?? name) };
  }
  if (schema.anyOf !== undefined) {
    const others = schema.anyOf.filter((one) => !isNull(one));
    const nullable = others.length < schema.anyOf.length;
    if (others.length !== 1) return { schema, name: undefined, nullable };
    const found = resolve(others[0]!, components);
    return { ...found, nullable: nullable || found.nullable };
  }
  if (Array.isArray(schema.type)) {
    const [type, ...more] = (schema.type as readonly string[]).filter((one) => one !== 'null');
    const nullable = schema.type.includes('null');
    return { schema: more.length === 0 && type !== undefined ? { ...schema, type } : {}, name: undefined, nullable };
  }
  return { schema, name: undefined, nullable: isNull(schema) };
};
