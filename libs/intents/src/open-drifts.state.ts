import type { RuleType } from './intent.schema';

/** `goals` counts how often it was assigned; `goalId` is set while its goal is open. */
export type Drift = {
  readonly fingerprint: string;
  readonly itemId: string;
  readonly ruleType: RuleType;
  readonly ruleKey: string;
  readonly detail: string;
  readonly foundAt: string;
  readonly goalId: string | null;
  readonly goals: number;
  readonly waitUntil: string | null;
};

type Group = Readonly<Record<string, Drift>>;

/** Drifts lie in 64 groups by the end of their item's id, so that one more costs the copy of a group and not of all. */
export type OpenDrifts = { readonly count: number; readonly groups: readonly Group[] };

const GROUPS = 64;
export const NO_DRIFTS: OpenDrifts = { count: 0, groups: Array.from({ length: GROUPS }, () => ({})) };

/** Ids end with two hexadecimal digits of chance. */
const groupOf = (itemId: string) => (Number.parseInt(itemId.slice(-2), 16) || 0) % GROUPS;
/** A fingerprint is intent, item, rule type and rule key. */
const groupOfDrift = (fingerprint: string) => groupOf(fingerprint.split(':')[1] ?? '');

export const driftIn = ({ groups }: OpenDrifts, fingerprint: string): Drift | undefined => {
  const group = groups[groupOfDrift(fingerprint)]!;
  return Object.hasOwn(group, fingerprint) ? group[fingerprint] : undefined;
};

export const driftsOfItem = ({ groups }: OpenDrifts, itemId: string): readonly Drift[] => Object.values(groups[groupOf(itemId)]!).filter((drift) => drift.itemId === itemId);

export const allDrifts = ({ groups }: OpenDrifts): readonly Drift[] => groups.flatMap((group) => Object.values(group));

export const withDrift = (drifts: OpenDrifts, drift: Drift): OpenDrifts => {
  const key = groupOfDrift(drift.fingerprint);
  const count = driftIn(drifts, drift.fingerprint) === undefined ? drifts.count + 1 : drifts.count;
  return { count, groups: drifts.groups.with(key, { ...drifts.groups[key], [drift.fingerprint]: drift }) };
};

export const withoutDrift = (drifts: OpenDrifts, fingerprint: string): OpenDrifts => {
  if (driftIn(drifts, fingerprint) === undefined) return drifts;
  const key = groupOfDrift(fingerprint);
  const { [fingerprint]: _closed, ...group } = drifts.groups[key]!;
  return { count: drifts.count - 1, groups: drifts.groups.with(key, group) };
};
