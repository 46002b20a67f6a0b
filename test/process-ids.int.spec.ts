import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { shipped } from './architecture/sources';
import { historyOf, STORIES, type Story } from './process-history';
import { processWorld } from './process-world';

/** Files that bring a process about and send or execute commands: the world of this spec runs each. */
const PROCESSES = [
  'apps/worker/src/agent-runs.ts', 'apps/worker/src/approval-expiry.ts', 'apps/worker/src/deployment-outcomes.ts', 'apps/worker/src/notifications.ts', 'apps/worker/src/promotion-check.ts',
  'apps/worker/src/veto-commits.ts', 'libs/artifacts/src/apply-artifact/work-schedule.ts', 'libs/flows/src/schedule/flow-schedule.ts', 'libs/flows/src/schedule/flow-triggers.ts', 'libs/intents/src/reconciler.ts',
];
/** Files that subscribe and command nothing: they write tables, metrics, keys and files, or send what was recorded to others. */
const SILENT = ['apps/worker/src/worker.ts', 'libs/cdc/src/deliver/delivery-round.ts', 'libs/scheduler/src/deadlines.ts'];
const STARTS_ONE = /new Deadlines\(|onsumers\.subscribe\(|queue\.work\(/;

/** Requests, not processes: each is one command that somebody sends. */
const REQUESTS = ['apps/gateway/src/first-start.ts', 'libs/http/src/caller.ts', 'libs/notifications/src/links/decisions.controller.ts', 'libs/sites/src/sign-in/sign-ins.ts'];
const AT_RANDOM = /commandId(:| =) *newEventId\(\)|(attempt|fresh) = newEventId\(\)/;

/** Of each process one command at least, or the histories would prove nothing about it. */
const COMMANDS = [
  /^deadline:.*:run_/, /^deadline:.*:goal_/, /^expire:/, /^give-up:/, /^promotion-check:/, /^commit:/, /^flow:.*:flow_[0-9a-f]+:\d/, /^flow:.*:event:/, /:operation-1$/, /:ran$/, /:done$/, /:open$/, /:end$/,
  /^cycle:.*:start$/, /^settle:/, /^settle-drift:/, /^carry-out:/, /^dead-letter:/, /^notify:/, /^lost:/, /:press$/,
];

const sources = [...shipped('apps'), ...shipped('libs')];
const having = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path).toSorted();

const story: fc.Arbitrary<Story> = fc.record({ what: fc.constantFrom(...STORIES), minute: fc.nat(2_000) });
/** Every kind of story once at least, in any order, among others. */
const stories = fc.tuple(fc.array(story, { maxLength: 12 }), fc.tuple(...STORIES.map((what) => fc.record({ what: fc.constant(what), minute: fc.nat(2_000) }))))
  .chain(([some, each]) => fc.shuffledSubarray([...some, ...each], { minLength: some.length + each.length }));

describe('The commands of processes', () => {
  it('come from the processes that are known here', () => {
    expect(having(STARTS_ONE)).toEqual([...PROCESSES, ...SILENT].toSorted());
  });

  it('have no id made at random, in no file of the product but those of a request', () => {
    expect(having(AT_RANDOM)).toEqual(REQUESTS.toSorted());
  });

  it('[PROC-001] property L6: have the same ids in every replay, each of an event id and a step, and do nothing twice', async () => {
    await fc.assert(
      fc.asyncProperty(stories, async (told) => {
        const history = historyOf(told);
        const events = history.map(({ eventId }) => eventId);
        const [world, twin] = [await processWorld(history), await processWorld(history)];
        try {
          const first = await world.run();
          expect(first.errors).toEqual([]);
          expect(COMMANDS.filter((each) => ![...first.sent].some((id) => each.test(id)))).toEqual([]);
          // Another process on another machine reads the same history: the very same ids.
          expect([...(await twin.run()).sent].toSorted()).toEqual([...first.sent].toSorted());
          expect([...first.sent].filter((id) => !events.some((eventId) => id.includes(eventId) && id.length > eventId.length + 1))).toEqual([]);
          // The same log once more from its start, with what came of it: no other id, and nothing is written.
          const head = await world.head();
          await world.forget();
          const again = await world.run();
          expect([...again.sent].filter((id) => !first.sent.has(id))).toEqual([]);
          expect([again.errors, await world.head()]).toEqual([[], head]);
        } finally {
          await Promise.all([world.close(), twin.close()]);
        }
      }),
      { numRuns: 2, endOnFailure: true },
    );
  }, 120_000);
});
