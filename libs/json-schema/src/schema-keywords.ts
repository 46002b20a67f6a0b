/** Where JSON Schema 2020-12 (and drafts 4 to 7) hold further schemas. Everything else in a schema is data. */
export const MAPS_OF_SCHEMAS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
export const LISTS_OF_SCHEMAS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
export const SCHEMAS = new Set([
  'items', 'additionalItems', 'contains', 'additionalProperties', 'unevaluatedItems', 'unevaluatedProperties', 'propertyNames', 'not', 'if', 'then', 'else',
]);

export type SchemaObject = Readonly<Record<string, unknown>>;
export const isSchemaObject = (value: unknown): value is SchemaObject => typeof value === 'object' && value !== null && !Array.isArray(value);
