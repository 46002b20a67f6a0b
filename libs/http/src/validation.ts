import { StandardSchemaValidationPipe, type ArgumentMetadata } from '@nestjs/common';
import { pointerTo } from './pointer';
import { ProblemException, type FieldError } from './problem';

type Step = PropertyKey | { readonly key: PropertyKey };
type Issue = { readonly path?: readonly Step[] | undefined; readonly message: string; readonly keys?: readonly string[] };

/** Enough to repair a request; a body with thousands of broken fields does not buy an answer of megabytes. */
const MAX_ERRORS = 50;

const plain = (path: Issue['path'] = []) => path.map((step) => (typeof step === 'object' ? step.key : step));

/** Unknown keys are reported one by one, each under its own pointer. */
const errorsOf = ({ path, message, keys }: Issue): FieldError[] =>
  keys === undefined
    ? [{ pointer: pointerTo(plain(path)), detail: message }]
    : keys.map((key) => ({ pointer: pointerTo([...plain(path), key]), detail: 'Unknown field' }));

const malformed = (issues: readonly Issue[]) => ProblemException.invalid(issues.flatMap(errorsOf).slice(0, MAX_ERRORS));

/** No body and an empty object are the same to a schema, so a route whose fields are all optional needs no body. */
class ValidationPipe extends StandardSchemaValidationPipe {
  override transform<T = unknown>(value: T, metadata: ArgumentMetadata) {
    return super.transform(value === undefined && metadata.type === 'body' && metadata.schema ? ({} as T) : value, metadata);
  }

  /** The framework takes every `constructor` and `prototype` out of a body without a word. What could reach a prototype was refused when the body was read; the rest are names like others. */
  protected override stripProtoKeys(): void {}
}

/** Checks every argument that carries a schema and answers 422 with one entry per broken field. */
export const validation = () => new ValidationPipe({ exceptionFactory: malformed });
