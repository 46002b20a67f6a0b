import { isSchemaObject, LISTS_OF_SCHEMAS, MAPS_OF_SCHEMAS, SCHEMAS, type SchemaObject } from './schema-keywords';

const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;

/**
 * The same schema in the words of 2020-12, so that one dialect is checked at every call. Draft 7 differs in tuples, in `dependencies`, and in
 * what stands beside a `$ref`, which it ignores. Any other schema comes back as it is. The nesting must have been bounded before.
 */
export const asDialect2020 = (schema: SchemaObject): SchemaObject => {
  const { $schema, ...rest } = schema;
  return typeof $schema === 'string' && DRAFT_07.test($schema) ? translated(rest) : schema;
};

const translated = (schema: SchemaObject): SchemaObject => {
  if (typeof schema['$ref'] === 'string') {
    // Definitions are kept: other references may point at them.
    const kept = ['$ref', 'definitions', '$defs'].filter((key) => Object.hasOwn(schema, key));
    return Object.fromEntries(kept.map((key) => [key, inner(key, schema[key])]));
  }
  return Object.fromEntries(Object.entries(schema).flatMap(([key, value]) => keyword(schema, key, value)));
};

const keyword = (schema: SchemaObject, key: string, value: unknown): readonly (readonly [string, unknown])[] => {
  if (key === 'items' && Array.isArray(value)) return [['prefixItems', value.map(one)]];
  if (key === 'additionalItems') return Array.isArray(schema['items']) ? [['items', one(value)]] : [];
  if (key === 'dependencies' && isSchemaObject(value)) return dependencies(value);
  return [[key, inner(key, value)]];
};

const dependencies = (value: SchemaObject): readonly (readonly [string, unknown])[] => {
  const all = Object.entries(value);
  const required = all.filter(([, each]) => Array.isArray(each));
  const schemas = all.filter(([, each]) => !Array.isArray(each)).map(([name, each]) => [name, one(each)]);
  return [
    ...(required.length > 0 ? [['dependentRequired', Object.fromEntries(required)] as const] : []),
    ...(schemas.length > 0 ? [['dependentSchemas', Object.fromEntries(schemas) as unknown] as const] : []),
  ];
};

const one = (value: unknown): unknown => (isSchemaObject(value) ? translated(value) : value);

const inner = (key: string, value: unknown): unknown => {
  if (MAPS_OF_SCHEMAS.has(key) && isSchemaObject(value)) return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, one(each)]));
  if (LISTS_OF_SCHEMAS.has(key) && Array.isArray(value)) return value.map(one);
  return SCHEMAS.has(key) ? one(value) : value;
};
