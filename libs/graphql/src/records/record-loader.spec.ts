import { describe, expect, it } from '@jest/globals';
import type { AnyProjection, ListRequest } from '@app/projections';
import { RecordLoader } from './record-loader';

const projectionOf = (name: string) => ({ name }) as unknown as AnyProjection;
const runs = projectionOf('runs');

const store = () => {
  const asked: (string | number)[][] = [];
  const reads = {
    list: (projection: AnyProjection, { where }: ListRequest) => {
      const ids = where![0]!.value as readonly string[];
      asked.push([projection.name, ids.length]);
      return Promise.resolve({ rows: ids.filter((id) => !id.startsWith('no')).map((id) => ({ id, siteId: 'site_a', position: 1n })), nextCursor: null, position: 9n });
    },
    reached: (projection: { readonly name: string }, position: bigint) => {
      asked.push([`${projection.name} at`, String(position)]);
      return Promise.resolve();
    },
  };
  return { asked, loader: new RecordLoader(reads as never, 'site_a') };
};

describe('Records of a site', () => {
  it('are read together, whoever asks, and each once', async () => {
    const { asked, loader } = store();
    const found = await Promise.all([...Array.from({ length: 50 }, (_, n) => loader.load(runs, `run_${n % 20}`)), loader.load(projectionOf('goals'), 'goal_1'), loader.load(runs, 'nobody')]);
    expect(asked).toEqual([['runs', 21], ['goals', 1]]);
    expect(found.slice(19)).toEqual([...Array.from({ length: 31 }, (_, n) => ({ id: `run_${(n + 19) % 20}`, siteId: 'site_a' })), { id: 'goal_1', siteId: 'site_a' }, null]);
  });

  it('are read again when they are asked for again', async () => {
    const { asked, loader } = store();
    await loader.load(runs, 'run_1');
    await loader.load(runs, 'run_1');
    expect(asked).toEqual([['runs', 1], ['runs', 1]]);
  });

  it('are at least as new as what was written', async () => {
    const { asked, loader } = store();
    loader.readAfter(7n);
    loader.readAfter(3n);
    await loader.load(runs, 'run_1');
    expect(asked).toEqual([['runs at', '7'], ['runs', 1]]);
  });

  it('come in statements of at most 200', async () => {
    const { asked, loader } = store();
    await Promise.all(Array.from({ length: 450 }, (_, n) => loader.load(runs, `run_${n}`)));
    expect(asked).toEqual([['runs', 200], ['runs', 200], ['runs', 50]]);
  });
});
