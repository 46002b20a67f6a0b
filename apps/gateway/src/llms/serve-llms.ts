import { CoreTools } from '@app/governance/contract';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { reference } from '../reference/reference';
import { llmsText } from './llms-text';

/** `/llms.txt`, for models that are to work with this server; public, because it says nothing about anybody's data. */
export const serveLlms = (app: NestFastifyApplication): void => {
  let text: string | undefined;
  app.getHttpAdapter().getInstance().get('/llms.txt', (_request, reply) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', 'no-cache').send((text ??= llmsText({ ...reference, tools: app.get(CoreTools, { strict: false }).definitions }))),
  );
};
