import type { Collection } from '@app/content/contract';
import { missing, reject, type Rejected } from '@app/kernel';
import type { IntentDefinition } from './intent.schema';
import { ruleProblems, type Problem } from './rules/rules.policy';

/** What only the shell can tell: whether patterns and schedules can be used. Both always answer the same for the same texts. */
export type Checks = {
  readonly patternProblem: (pattern: string) => string | null;
  readonly scheduleProblem: (schedule: string) => string | null;
  readonly isZone: (zone: string) => boolean;
};

/** Why a definition cannot be kept up; undefined when it can. A window's unknown zone is no reason: its cycles run and warn. */
export const refusedDefinition = (definition: IntentDefinition, collection: Collection, checks: Checks): Rejected | undefined => {
  const { rules, schedule, tz } = definition;
  const errors: Problem[] = [];
  if (collection.status !== 'live') errors.push({ pointer: '/collection', detail: `There is no collection ${definition.collection} on this site` });
  else errors.push(...ruleProblems(rules, { fields: collection.fields.map(({ name }) => name), patternProblem: checks.patternProblem }));
  const wrong = checks.scheduleProblem(schedule);
  if (wrong !== null) errors.push({ pointer: '/schedule', detail: wrong });
  if (tz !== undefined && !checks.isZone(tz)) errors.push({ pointer: '/tz', detail: 'There is no such time zone' });
  return errors.length > 0 ? reject('invalid', 'VALIDATION_FAILED', 'This intent cannot be kept up.', { errors }) : undefined;
};

/** The live intent that a request means, or why there is none. */
export const liveIntent = <I extends { readonly status: 'none' | 'live' | 'deleted'; readonly siteId?: string; readonly deletedAt?: string }>(
  state: I,
  siteId: string,
): { readonly ok: true; readonly intent: Extract<I, { status: 'live' }> } | Rejected => {
  if (state.status === 'none' || state.siteId !== siteId) return missing();
  if (state.status === 'deleted') return reject('gone', 'GONE', `This intent was deleted at ${state.deletedAt}.`, { deletedAt: state.deletedAt });
  return { ok: true, intent: state as Extract<I, { status: 'live' }> };
};
