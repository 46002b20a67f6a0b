import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ArtifactContent } from '../artifact.schema';
import { apiReferenceProblems } from './api-references.policy';
import { objectsIn } from './strings.policy';

/** Far beyond documents that people write; past these the time of a check would not be foreseeable. */
const MOST_BYTES = 2_000_000;
const DEEPEST = 100;
const MOST_PROBLEMS = 20;

/** Compiles the schemas of the OpenAPI versions once, when each is asked for; all of them come with the package. */
const validator = new Validator();
/** From 3.1 on the official schema leaves what stands in its JSON Schemas to the dialect that they are written in. */
const dialect = new Ajv2020({ strict: false, validateFormats: false });
const SCHEMA = /^\/components\/schemas\/[^/]+$|\/schema$/;
const EXAMPLE = /\/(?:examples?|default|enum|const)\//;

/**
 * Why content is no valid OpenAPI document of version 2.0, 3.0, 3.1 or 3.2: held against the official schema of its version, and every reference
 * followed within the document. Nothing is loaded from anywhere.
 */
export const openApiProblems = async (content: ArtifactContent): Promise<readonly string[]> => {
  if (depthOf(content) > DEEPEST) return [`The document is nested more than ${DEEPEST} deep`];
  if (JSON.stringify(content).length > MOST_BYTES) return [`The document has more than ${MOST_BYTES} characters`];
  // The validator takes what it is given apart, and looks at a text as the name of a file: it gets an object of its own.
  const { valid, errors } = await validator.validate(structuredClone(content) as Record<string, unknown>);
  const broken = valid ? [] : typeof errors === 'string' ? [errors] : (errors ?? []).map(({ instancePath, message }) => `${instancePath === '' ? '/' : instancePath} ${message ?? 'is not valid'}`);
  const problems = [...new Set([...broken, ...schemaProblems(content), ...apiReferenceProblems(content)])];
  return valid || problems.length > 0 ? problems.slice(0, MOST_PROBLEMS) : ['The document is not valid'];
};

const schemaProblems = (content: ArtifactContent): readonly string[] =>
  /^3\.[12]/.test(String(content['openapi']))
    ? objectsIn(content).flatMap(({ path, object }) => {
        if (!SCHEMA.test(path) || EXAMPLE.test(path) || dialect.validateSchema(object)) return [];
        return (dialect.errors ?? []).slice(0, 1).map(({ instancePath, message }) => `${path}${instancePath} ${message ?? 'is no schema'}`);
      })
    : [];

const depthOf = (content: unknown): number => {
  let deepest = 0;
  const left: { readonly value: unknown; readonly depth: number }[] = [{ value: content, depth: 1 }];
  for (let next = left.pop(); next !== undefined && deepest <= DEEPEST; next = left.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null) continue;
    deepest = Math.max(deepest, depth);
    for (const each of Object.values(value)) left.push({ value: each, depth: depth + 1 });
  }
  return deepest;
};
