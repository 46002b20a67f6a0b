import { FLAGS, targetProblems, type Governance, type GovernanceEvent, type SettingsChange } from '@app/governance/contract';
import { accept, missing, reject, type Decision } from '@app/kernel';
import type { ChangeSettingsBody } from './change-settings.command';

/**
 * Only what differs from what is in force becomes an event: one for each flag, one for the secrets, one for all other settings. Whether a
 * secret has the value already is not looked at: setting it is an event each time. `kept` names the secrets that the site has.
 */
export const changeSettings = (state: Governance, body: ChangeSettingsBody, kept: readonly string[] = []): Decision<{ readonly governance: readonly GovernanceEvent[] }> => {
  if (state.status === 'none') return missing();
  const errors = (body.deployments?.targets ?? []).flatMap((target, nr) => targetProblems(target, `/deployments/targets/${nr}`));
  if (errors.length > 0) return reject('invalid', 'VALIDATION_FAILED', 'These settings are in the log for good, and so would be a secret in them.', { errors });
  const { contentOs = {}, secrets = {}, promotion, budget, approvalExpiryMsByKind, ...replaced } = body;
  const { settings } = state;
  const wanted = {
    ...replaced,
    ...(promotion && { promotion: merged(settings.promotion, promotion) }),
    ...(budget && { budget: merged(settings.budget, budget) }),
    ...(approvalExpiryMsByKind && { approvalExpiryMsByKind: merged(settings.approvalExpiryMsByKind, approvalExpiryMsByKind) }),
  };
  const now: Readonly<Record<string, unknown>> = settings;
  const changes = Object.fromEntries(Object.entries(wanted).filter(([key, value]) => value !== undefined && !same(value, now[key]))) as SettingsChange;
  const flags = FLAGS.flatMap((flag): GovernanceEvent[] => {
    const on = contentOs[flag];
    return on === undefined || on === state.flags[flag] ? [] : [{ type: 'FlagChanged', data: { flag, on } }];
  });
  const set = Object.keys(secrets).filter((name) => secrets[name] !== null);
  const removed = Object.keys(secrets).filter((name) => secrets[name] === null && kept.includes(name));
  const secretsChanged: GovernanceEvent[] = set.length + removed.length > 0 ? [{ type: 'SecretsChanged', data: { set, removed } }] : [];
  return accept({ governance: [...flags, ...secretsChanged, ...(Object.keys(changes).length > 0 ? [{ type: 'SettingsChanged', data: { changes } } as const] : [])] });
};

const merged = (before: object, change: object) =>
  Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== null && value !== undefined));

/** Values of settings are plain JSON; the keys of an object from the log may come in another order. */
const same = (a: unknown, b: unknown): boolean => {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return a === b;
  const [inA, inB] = [Object.entries(a), Object.entries(b)];
  return inA.length === inB.length && inA.every(([key, value]) => Object.hasOwn(b, key) && same(value, (b as Record<string, unknown>)[key]));
};
