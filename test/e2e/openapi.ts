import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Body } from './server';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

export type Operation = { readonly method: string; readonly path: string; readonly operation: Body };

export const operationsOf = (document: Body): readonly Operation[] =>
  Object.entries(document.paths as Body).flatMap(([path, item]) =>
    METHODS.flatMap((method) => ((item as Body)[method] ? [{ method: method.toUpperCase(), path, operation: (item as Body)[method] as Body }] : [])),
  );

/** Every `$ref` below a value. */
export const refsIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return [];
  const { $ref } = value as { $ref?: unknown };
  return [...(typeof $ref === 'string' ? [$ref] : []), ...Object.values(value).flatMap(refsIn)];
};

/** What a local `$ref` points to, or undefined. */
export const resolved = (document: Body, ref: string): Body =>
  ref.replace(/^#\//, '').split('/').reduce((at: Body, step) => at?.[step.replaceAll('~1', '/').replaceAll('~0', '~')], document);

const escaped = (step: string) => step.replaceAll('~', '~0').replaceAll('/', '~1');

/** Checks answers against what the document says of them. */
export class Documented {
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });
  private readonly known = new Map<string, ValidateFunction>();

  constructor(readonly document: Body) {
    this.ajv.addSchema(document as object, 'api');
  }

  /** Whether a schema obeys JSON Schema 2020-12; the reason when it does not. */
  faultOf = (schema: object): string | undefined => (this.ajv.validateSchema(schema) ? undefined : this.ajv.errorsText());

  /** What is wrong with an answer; undefined when it is as documented. */
  faultOfAnswer(method: string, path: string, status: number, type: string, body: unknown): string | undefined {
    const responses = this.document.paths[path]?.[method.toLowerCase()]?.responses as Body;
    const at = responses?.[status] ? `paths/${escaped(path)}/${method.toLowerCase()}/responses/${status}` : 'components/responses/Problem';
    const pointer = `#/${at}/content/${escaped(type)}/schema`;
    if (resolved(this.document, `#/${at}`)?.content?.[type] === undefined) return `${method} ${path} answers ${status} with ${type}, which is not documented`;
    const validate = this.known.get(pointer) ?? this.ajv.compile({ $ref: `api${encodeURI(pointer)}` });
    this.known.set(pointer, validate);
    return validate(body) ? undefined : `${method} ${path} ${status}: ${this.ajv.errorsText(validate.errors)}`;
  }
}
