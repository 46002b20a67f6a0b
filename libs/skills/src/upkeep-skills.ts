import { RunCycle } from '@app/intents/contract';
import { SweepStagings } from '@app/staging/contract';
import { CheckPromotions } from '@app/trust/contract';
import { z } from 'zod';
import { skill, type CoreSkill } from './core-skill';

/**
 * What flows do to look after the harness itself. None of them does what a clock would not do anyway, so none is dangerous: a scan finds, a check
 * proposes to a person, and a sweep commits only what nobody vetoed in time.
 */
export const upkeepSkills: readonly CoreSkill[] = [
  skill('drift-scan', {
    description: 'Runs a cycle of one intent now: looks for drift and opens goals for it, within its budget and windows.',
    input: z.strictObject({ intentId: z.string().regex(/^int_[0-9a-f]{32}$/) }), capability: 'drift:scan', risk: 'create',
    run: ({ intentId }, { context }, { send }) => send(new RunCycle(intentId, context)),
  }),
  skill('trust-promote-check', {
    description: 'Looks at every role and capability and proposes promotions that have been earned; nothing changes until a person decides.',
    input: z.strictObject({}), capability: 'autonomy:write', risk: 'create', idempotent: true,
    run: (_input, { context }, { send }) => send(new CheckPromotions(context)),
  }),
  skill('veto-sweep', {
    description: 'Commits staged changes whose veto window is over and whose deadline was lost.',
    input: z.strictObject({}), capability: 'staging:sweep', risk: 'write', idempotent: true,
    run: (_input, { context }, { send }) => send(new SweepStagings(context)),
  }),
];
