import { isObject } from './strings.policy';

const LOSES = /\b(?:drop|delete|truncate|remove)\b/i;

/** Why a migration cannot be taken back or would lose data unannounced: every step needs a `down`, and one that destroys says so with `destructive: true`. */
export const migrationProblems = (content: unknown): readonly string[] => {
  const steps = isObject(content) ? content['steps'] : undefined;
  if (!Array.isArray(steps) || steps.length === 0) return ['/steps is missing or empty'];
  return steps.flatMap((step: unknown, nr) => {
    if (!isObject(step)) return [`/steps/${nr} is no step`];
    const up = isEmpty(step['up']) ? [`/steps/${nr}/up is missing`] : [];
    const down = isEmpty(step['down']) ? [`/steps/${nr}/down is missing, so the step cannot be taken back`] : [];
    const silent = LOSES.test(JSON.stringify(step['up'] ?? '')) && step['destructive'] !== true ? [`/steps/${nr} destroys something and does not say so`] : [];
    return [...up, ...down, ...silent];
  });
};

const isEmpty = (value: unknown) => value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
