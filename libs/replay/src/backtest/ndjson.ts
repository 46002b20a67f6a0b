import { Readable } from 'node:stream';
import { failureOf, toJson } from '@app/http';

/** One JSON document a line. A failure after the first line ends the text with a line that holds the problem. */
export const ndjson = (documents: AsyncIterable<unknown>): Readable => Readable.from(lines(documents), { objectMode: false });

async function* lines(documents: AsyncIterable<unknown>): AsyncGenerator<string, void, undefined> {
  try {
    for await (const document of documents) yield `${toJson(document)}\n`;
  } catch (error) {
    yield `${toJson({ problem: failureOf(error).exception.problem })}\n`;
  }
}
