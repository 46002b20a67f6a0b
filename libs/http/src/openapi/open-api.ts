import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { z } from 'zod';
import { completed } from './complete';
import type { ReferenceTexts } from './operation-texts';

export type OpenApiOptions = {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  /** Path segments that only group others and never name a tag, besides `api` and versions. */
  readonly groups?: readonly string[];
  /** What people read that is in no schema, and what examples hold. */
  readonly texts?: ReferenceTexts;
};

const isZod = (schema: unknown): schema is z.ZodType => typeof schema === 'object' && schema !== null && '_zod' in schema;

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** `DecideApprovalController.post` → `decideApprovalPost`. */
const operationId = (controller: string, method: string) => lower(controller.replace(/Controller$/, '')) + upper(method);

const tagOf = (path: string, groups: readonly string[]) =>
  path.split('/').find((segment) => segment !== '' && segment !== 'api' && !/^v\d+$/.test(segment) && !groups.includes(segment)) ?? 'meta';

/** The OpenAPI 3.1 document of every controller, from the zod schemas in their decorators. */
export const openApi = (app: INestApplication, { title, version, description = '', groups = [], texts }: OpenApiOptions): OpenAPIObject => {
  const config = new DocumentBuilder().setTitle(title).setVersion(version).setDescription(description).setOpenAPIVersion('3.1.0').build();
  const document = SwaggerModule.createDocument(app, config, {
    autoTagControllers: false,
    operationIdFactory: operationId,
    standardSchemaConverter: (schema, { schemaType }) => (isZod(schema) ? jsonSchemaOf(schema, schemaType) : undefined),
  });
  return completed(document, (path) => tagOf(path, groups), texts);
};

/** OpenAPI 3.1 speaks JSON Schema 2020-12; Nest's own conversion still asks zod for the 3.0 dialect. */
const jsonSchemaOf = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _dialect, $defs, ...json } = z.toJSONSchema(schema, { target: 'draft-2020-12', io, unrepresentable: 'any' });
  return $defs === undefined ? { schema: json } : { schema: json, components: $defs };
};
