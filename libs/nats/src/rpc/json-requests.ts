import type { ConsumerDeserializer } from '@nestjs/microservices';
import type { Msg } from '@nats-io/transport-node';
import { parseJson, ProblemException, type FieldError } from '@app/http';

/** A message that is no JSON that may be kept; whoever sent it is told so. */
export class Unreadable {
  constructor(readonly error: unknown) {}
}

type Request = { readonly id: string; readonly pattern: string; readonly data: unknown };

/**
 * Reads requests under the same rules as bodies over HTTP. Nest's clients put `{id, pattern, data}` around what they send; what comes without is taken as it
 * is. Every request is answered, also one that cannot be read.
 */
export class JsonRequests implements ConsumerDeserializer {
  deserialize(message: Msg): Request {
    try {
      const value = parseJson(message.data);
      return isEnvelope(value) ? { id: String(value.id), pattern: message.subject, data: value.data } : { id: '', pattern: message.subject, data: value };
    } catch (error) {
      return unreadable(message, error);
    }
  }
}

/** What is wrong is told of what was sent, and not of what Nest has put around it. */
const unreadable = (message: Msg, error: unknown): Request => {
  const { value } = parsed(message);
  if (!isEnvelope(value)) return { id: '', pattern: message.subject, data: new Unreadable(error) };
  const errors = error instanceof ProblemException ? (error.problem.facts?.['errors'] as readonly FieldError[] | undefined) : undefined;
  const inner = errors && ProblemException.invalid(errors.map(({ pointer, detail }) => ({ pointer: pointer.replace(/^\/data(?=\/|$)/, ''), detail })), (error as ProblemException).problem.detail);
  return { id: String(value.id), pattern: message.subject, data: new Unreadable(inner ?? error) };
};

const parsed = (message: Msg): { readonly value?: unknown } => {
  try {
    return { value: message.json() };
  } catch {
    return {};
  }
};

const isEnvelope = (value: unknown): value is { readonly id: unknown; readonly data: unknown } => typeof value === 'object' && value !== null && 'id' in value && 'pattern' in value;
