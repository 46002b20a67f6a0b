import { describe, expect, it } from '@jest/globals';
import type { LogLevel } from '@nestjs/common';
import { jsonLog, JsonLogger } from './json-logger';

const loggerAt = (level: LogLevel) => {
  const lines: string[] = [];
  const logger = new JsonLogger(jsonLog(level, { write: (line) => void lines.push(line) }));
  return { logger, lines: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>), raw: lines };
};
const ALL: readonly LogLevel[] = ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'];

describe('The JSON log', () => {
  it.each(ALL.map((level, at) => [level, ALL.slice(0, at + 1)] as const))('at %s takes that level and what is graver', (level, taken) => {
    const { logger, lines } = loggerAt(level);
    for (const each of ALL) logger[each](each, 'Speaker');
    expect(lines().map(({ msg }) => msg)).toEqual(taken);
  });

  it('names level, time, process and speaker', () => {
    const { logger, lines } = loggerAt('log');
    logger.log('Something happened', 'Speaker');
    expect(lines()).toEqual([{ level: 'info', time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/), pid: process.pid, context: 'Speaker', msg: 'Something happened' }]);
  });

  it('keeps the stack of an error, and what is JSON already as fields', () => {
    const { logger, lines } = loggerAt('error');
    const error = new Error('Broken');
    logger.error(error, 'Speaker');
    logger.error('It broke', error.stack, 'Speaker');
    logger.error('{"requestId":"r-1","correlationId":"c-1","error":"Error: \\u0085"}', 'ProblemFilter');
    expect(lines()).toMatchObject([
      { context: 'Speaker', msg: 'Broken', error: error.stack }, { context: 'Speaker', msg: 'It broke', stack: error.stack },
      { context: 'ProblemFilter', msg: 'request failed', requestId: 'r-1', correlationId: 'c-1' },
    ]);
  });

  it('holds one line per message, whatever is in it', () => {
    const { logger, raw } = loggerAt('log');
    logger.log('two\nlines\r and {"a": "forged"}\u2028', 'Speaker');
    expect(raw).toHaveLength(1);
    expect(raw[0]!.trimEnd()).toMatch(/^[^\p{Cc}]*$/u);
  });
});
