import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { correlationIdOf } from './caller';
import { logLine, stackOf } from './log-line';
import { failureOf } from './problem-of';
import { sendProblem } from './send-problem';

/** Every failure leaves the HTTP edge as one problem body. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly log = new Logger(ProblemFilter.name);

  catch(error: unknown, host: ArgumentsHost) {
    if (host.getType<string>() !== 'http') throw error;
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const { exception, unexpected } = failureOf(error);
    const { id: requestId, method } = request;
    // A query is what somebody asked for, and no matter of the log.
    const [url] = request.url.split('?', 1);
    if (unexpected) this.log.error(logLine({ requestId, correlationId: correlationIdOf(request), method, url, error: stackOf(error) }));
    if (reply.sent || reply.raw.headersSent) return;
    sendProblem(reply, exception);
  }
}
