import { instantParam, positionParam, ProblemException } from '@app/http';
import { z } from 'zod';
import type { Moment, Range } from './moment.policy';

/** A position counts as one when it is digits, an instant is ISO 8601 with a zone. */
const bound = z.union([positionParam.transform((position) => ({ position })), instantParam.transform((time) => ({ time }))]);
export const RangeParams = z.strictObject({ from: bound.optional(), to: bound.optional() }) satisfies z.ZodType<Range>;

const versionParam = z.string().regex(/^[1-9]\d{0,14}$/, 'A stream version: a whole number from 1 on').transform(Number);
export const MomentParams = z.strictObject({ position: positionParam.optional(), time: instantParam.optional(), version: versionParam.optional() });
export type MomentParams = z.infer<typeof MomentParams>;

/** The one moment that a request names. */
export const momentOf = ({ position, time, version }: MomentParams): Moment => {
  const named = [position !== undefined && { position }, time !== undefined && { time }, version !== undefined && { version }].filter((each) => each !== false);
  if (named.length === 1) return named[0]!;
  throw ProblemException.invalid([{ pointer: '/position', detail: 'Name one moment: a position, a time, or a version of the stream' }]);
};
