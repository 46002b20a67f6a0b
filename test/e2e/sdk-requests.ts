import { Harness } from '../../libs/sdk/src';

/** One request that a helper of the SDK sent. `key`: its `Idempotency-Key`. */
export type SentRequest = { readonly helper: string; readonly method: string; readonly path: string; readonly key: string | null };
type Helper = (...given: readonly unknown[]) => unknown;
type Receive = (request: Omit<SentRequest, 'helper'>) => Response;

export const PLACEHOLDER = 'arg';
/** Stands for every argument: it reads as a text, and as an object that holds what parts of an address are taken from. */
const ANYTHING = Object.assign(new String(PLACEHOLDER), { consumer: PLACEHOLDER, position: PLACEHOLDER });
const MOST_ARGUMENTS = 6;

const problem = { status: 403, code: 'FORBIDDEN', title: 'Forbidden', detail: 'Only asked' };
const answered = (body: object, status = 200) => new Response(JSON.stringify(body), { status });

const harnessOn = (receive: Receive): Harness =>
  new Harness({
    url: 'http://harness.test', key: 'hk_nobody',
    fetch: async (input, init) => receive({ method: init?.method ?? 'GET', path: new URL(String(input)).pathname, key: new Headers(init?.headers).get('idempotency-key') }),
  });

/** The areas and helpers of an object, as a caller can reach them. */
const members = (area: object): (readonly [string, object])[] => {
  const prototype = Object.getPrototypeOf(area) as object;
  const inherited = prototype === Object.prototype ? [] : Object.entries(Object.getOwnPropertyDescriptors(prototype)).map(([name, { value }]) => [name, value as unknown] as const);
  return [...Object.entries(area), ...inherited].filter((entry): entry is [string, object] => {
    const [name, value] = entry;
    const isArgument = value === ANYTHING;
    return !isArgument && name !== 'transport' && name !== 'constructor' && (typeof value === 'function' || (typeof value === 'object' && value !== null));
  });
};

/**
 * What every helper of the SDK sends first. Each is called with placeholders and refused, so none goes any further; one that can do nothing
 * with placeholders is called without. A helper that gives an area, such as `harness.run`, stands for the helpers of that area.
 */
export const requestsOfHelpers = async (): Promise<{ readonly helpers: readonly string[]; readonly requests: readonly SentRequest[] }> => {
  const helpers: string[] = [];
  const requests: SentRequest[] = [];
  let now = '';
  const harness = harnessOn((request) => {
    requests.push({ helper: now, ...request });
    return answered(problem, 403);
  });
  const settled = async (call: () => unknown): Promise<object | undefined> => {
    try {
      const given = call() as Promise<unknown> | AsyncIterator<unknown> | object;
      if ('then' in given) await given;
      else if ('next' in given) await given.next();
      else return given;
    } catch {
      // Every call is refused; what was sent before that is what counts.
    }
    return undefined;
  };
  const visit = async (area: object, at: string): Promise<void> => {
    for (const [name, member] of members(area)) {
      now = `${at}.${name}`;
      if (typeof member !== 'function') {
        await visit(member, now);
        continue;
      }
      const helper = member.bind(area) as Helper;
      const before = requests.length;
      const inner = await settled(() => helper(...Array<unknown>(MOST_ARGUMENTS).fill(ANYTHING)));
      if (inner) {
        await visit(inner, now);
        continue;
      }
      if (requests.length === before) await settled(() => helper());
      helpers.push(now);
    }
  };
  await visit(harness, 'harness');
  return { helpers, requests };
};

/** What a worker sends in its life: it takes two calls, says that it is alive, hands in one result and one failure. */
export const requestsOfWorker = async (): Promise<readonly SentRequest[]> => {
  const requests: SentRequest[] = [];
  const stop = new AbortController();
  let alive = () => {};
  const beating = new Promise<void>((beat) => (alive = beat));
  let polls = 0;
  const harness = harnessOn((request) => {
    requests.push({ helper: 'harness.worker', ...request });
    if (request.path.endsWith('/heartbeat')) alive();
    if (!request.path.endsWith('/poll')) return answered({ data: {}, position: '1' });
    if (++polls <= 2) return answered({ data: { leaseId: PLACEHOLDER, leaseMs: 300, callId: `c${polls}`, runId: 'run_1', tool: 'render', arguments: {}, token: 'hk_run' }, position: '1' });
    stop.abort();
    return new Response(null, { status: 204 });
  });
  await harness.worker({
    tools: ['render'], signal: stop.signal,
    handle: async ({ callId }) => {
      if (callId === 'c2') throw new Error('No paper');
      await beating;
    },
  });
  return requests;
};
