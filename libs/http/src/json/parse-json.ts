import { ProblemException } from '../problem';
import { isTooDeep, MAX_DEPTH } from './depth';
import { firstFault } from './faults';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads a JSON body. An empty one is no body. 400 for text that is no JSON in UTF-8, 422 for JSON that this server does not take. */
export const parseJson = (body: Uint8Array): unknown => {
  if (body.byteLength === 0) return undefined;
  if (isTooDeep(body)) throw ProblemException.invalid([{ pointer: '', detail: `Nested deeper than ${MAX_DEPTH} levels` }]);
  const [value, text] = read(body);
  // Decoded UTF-8 is well formed and JSON allows no raw NUL, so only an escape can bring either in.
  const fault = firstFault(value, text.includes('\\u'));
  if (fault) throw ProblemException.invalid([fault], 'The body holds a value that cannot be kept unchanged.');
  return value;
};

const read = (body: Uint8Array): readonly [unknown, string] => {
  try {
    const text = utf8.decode(body);
    return [JSON.parse(text) as unknown, text];
  } catch {
    throw new ProblemException(400, 'VALIDATION_FAILED', 'The body is not JSON in UTF-8.', { kept: false });
  }
};
