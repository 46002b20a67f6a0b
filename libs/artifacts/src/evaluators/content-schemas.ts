import { FIELD_TYPES } from '@app/content/contract';
import type { ArtifactType } from '../artifact.schema';

type JsonSchema = Readonly<Record<string, unknown>>;
const text = { type: 'string', minLength: 1 };
const listOf = (items: JsonSchema) => ({ type: 'array', minItems: 1, items });
const object = (required: readonly string[], properties: JsonSchema): JsonSchema => ({ type: 'object', required, properties });

const field = object(['name', 'type'], { name: text, type: { enum: FIELD_TYPES } });
const collections = listOf(object(['name', 'fields'], { name: text, fields: listOf(field) }));

/** What an artifact of each type must have at least; more is allowed. */
export const CONTENT_SCHEMAS: Readonly<Record<ArtifactType, JsonSchema>> = {
  schema_diff: object(['collections'], { collections }),
  page_spec: object(['pages'], { pages: listOf(object(['path', 'title'], { path: text, title: text })) }),
  component_spec: object(['components'], { components: listOf(object(['name'], { name: text })) }),
  seed_data: object(['items'], { collections, items: listOf(object(['collection', 'data'], { collection: text, data: { type: 'object' } })) }),
  api_spec: object(['openapi', 'info', 'paths'], { openapi: text, info: object(['title', 'version'], { title: text, version: text }), paths: { type: 'object' } }),
  prompt: object(['text'], { text }),
  migration: object(['steps'], { steps: listOf(object(['up', 'down'], {})) }),
  plan: object(['steps'], { steps: { type: 'array', minItems: 1 } }),
  report: object(['summary'], { summary: text }),
};
