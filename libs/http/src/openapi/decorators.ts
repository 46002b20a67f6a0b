import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { z } from 'zod';

const position = z.string().meta({ description: 'Log position; give it as minPosition to read what was written', pattern: '^[0-9]+$', examples: ['123'] });
const nextCursor = z.string().nullable().describe('Give it as cursor for the next page; null on the last page');

type Options = { readonly status?: number; readonly description?: string };

const documented = (schema: z.ZodType, status: number, description = 'The answer') =>
  ApiResponse({ status, description, standardSchema: schema });

/** The route answers `{data, position}`; also sets the status, 200 unless another is given. */
export const ApiAnswer = (schema: z.ZodType, { status = 200, description }: Options = {}) =>
  applyDecorators(HttpCode(status), documented(z.object({ data: schema, position }), status, description));

/** A second successful answer that the handler chooses itself, such as 202. Documentation only. */
export const ApiAlsoAnswers = (status: number, schema: z.ZodType, description?: string) =>
  documented(z.object({ data: schema, position }), status, description);

/** The route answers `{data[], nextCursor, position}`. */
export const ApiList = (item: z.ZodType, { description = 'One page' }: Pick<Options, 'description'> = {}) =>
  applyDecorators(HttpCode(200), documented(z.object({ data: z.array(item), nextCursor, position }), 200, description));

/** The route answers with an event stream. */
export const ApiEventStream = (description = 'Server-sent events; resumes after Last-Event-ID') =>
  ApiResponse({ status: 200, description, content: { 'text/event-stream': { schema: { type: 'string' } } } });
