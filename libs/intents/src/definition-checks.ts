import { isTimeZone } from '@app/cron';
import { patternProblem } from '@app/json-schema';
import type { Checks } from './checked-definition.policy';
import { scheduleProblem } from './schedule/schedule';

/** The engines behind patterns and schedules; decisions get them as values. */
export const definitionChecks: Checks = { patternProblem, scheduleProblem, isZone: isTimeZone };
