import { ProblemException } from '../problem';
import { firstFault } from './faults';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads a JSON body. An empty one is no body. 400 for text that is no JSON in UTF-8, 422 for JSON that this server does not take. */
export const parseJson = (body: Uint8Array): unknown => {
  if (body.byteLength === 0) return undefined;
  const value = valueOf(body);
  const fault = firstFault(value);
  if (fault) throw ProblemException.invalid([fault], 'The body holds a value that cannot be kept unchanged.');
  return value;
};

const valueOf = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(utf8.decode(body)) as unknown;
  } catch {
    throw new ProblemException(400, 'VALIDATION_FAILED', 'The body is not JSON in UTF-8.', { kept: false });
  }
};
