import { Body, Controller, Headers, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Bus } from '@app/cqrs';
import { answer, ApiAnswer, Caller, Draining, NDJSON, ndjson, ProblemException, RequireCapability } from '@app/http';
import { RangeParams } from '../moment/moment-params';
import { BacktestBody, Backtest, type BacktestStep } from './backtest.query';
import { BacktestResult } from './backtest.view';
import { candidateProblems } from './candidate-problems';

/** In one JSON answer; beyond that they are counted. The stream gives all. */
const MOST = 1_000;

@Controller('agent/replay/backtest')
export class BacktestController {
  constructor(
    private readonly bus: Bus,
    private readonly draining: Draining,
  ) {}

  /** Tries rules on history; nothing is written. With `Accept: application/x-ndjson` the answer is a line per step: progress, difference, result. */
  @Post()
  @RequireCapability('audit:read')
  @ApiAnswer(BacktestResult)
  async run(
    @Body({ schema: BacktestBody }) { candidate, from, to }: BacktestBody,
    @Headers('accept') accept: string | undefined,
    @Caller() { siteId }: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const range = RangeParams.safeParse({ from, to });
    if (!range.success) throw ProblemException.invalid(range.error.issues.map(({ path }) => ({ pointer: `/${path.join('/')}`, detail: 'A log position, or an instant in ISO 8601' })));
    const problems = candidateProblems(candidate);
    if (problems.length > 0) throw ProblemException.invalid(problems);
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    const signal = AbortSignal.any([left.signal, this.draining.signal]);
    const steps = await this.bus.ask(new Backtest(siteId, candidate, range.data, signal));
    if (!accept?.includes(NDJSON)) return collected(steps);
    void reply.type(`${NDJSON}; charset=utf-8`);
    return ndjson(documents(steps));
  }
}

async function* documents(steps: AsyncIterable<BacktestStep>): AsyncGenerator<unknown, void, undefined> {
  for await (const { step, data } of steps) yield { [step]: data };
}

const collected = async (steps: AsyncIterable<BacktestStep>) => {
  const differences: BacktestResult['differences'][number][] = [];
  for await (const { step, data } of steps) {
    if (step === 'difference' && differences.length < MOST) differences.push(data);
    if (step === 'result') return answer({ examined: data.examined, differing: data.differing, ...(data.forgotten !== undefined && { forgotten: data.forgotten }), differences }, BigInt(data.position));
  }
  throw new ProblemException(503, 'UNAVAILABLE', 'The server is stopping; run the backtest again.', { kept: false });
};
