import { applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody, ApiConsumes, ApiResponse } from '@nestjs/swagger';
import { Readable } from 'node:stream';
import { toJson } from './json/serialise';
import { failureOf } from './problem-of';

export const NDJSON = 'application/x-ndjson';

/** One JSON document a line. A failure after the first line ends the text with a line that holds the problem. */
export const ndjson = (documents: AsyncIterable<unknown>): Readable => Readable.from(lines(documents), { objectMode: false });

async function* lines(documents: AsyncIterable<unknown>): AsyncGenerator<string, void, undefined> {
  try {
    for await (const document of documents) yield `${toJson(document)}\n`;
  } catch (error) {
    yield `${toJson({ problem: failureOf(error).exception.problem })}\n`;
  }
}

/** The mark of a route that reads its body by itself. */
export const TAKES_LINES = 'takesLines';

/** The route takes JSON lines, as they come, and has to bound them itself; the body is the stream. */
export const TakesLines = (description: string) =>
  applyDecorators(RouteConfig({ [TAKES_LINES]: true }), ApiConsumes(NDJSON), ApiBody({ description, required: true, schema: { type: 'string' } }));

/** The route answers with JSON lines. Documentation only. */
export const AnswersLines = (description: string) => ApiResponse({ status: 200, description, content: { [NDJSON]: { schema: { type: 'string' } } } });
