import { afterEach, describe, expect, it } from '@jest/globals';
import { answers } from '@app/sdk/testing';
import { against, closeServer, served } from '../testing/run-harness';

afterEach(closeServer);

describe('harness projections', () => {
  it.each([['rebuild'], ['pause'], ['resume']])('%s posts to that read model', async (verb) => {
    const { code, out } = await against([answers({}, '8')], `projections ${verb} items --json`);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ name: 'items', position: '8' });
    expect(served().seen[0]).toMatchObject({ method: 'POST', path: `/api/v1/ops/projections/items/${verb}` });
  });

  it('skip sends the position as text, with the reason', async () => {
    await against([answers({})], 'projections skip items --position 9007199254740993 --reason poison');
    expect(served().seen[0]?.body).toEqual({ position: '9007199254740993', reason: 'poison' });
  });

  it('verify exits 1 on a difference', async () => {
    expect(
      await against(
        [answers({ name: 'items', ok: false, position: '9', rows: 4, differences: [{ id: 'item_1', kind: 'missing' }] })],
        'projections verify items',
      ),
    ).toMatchObject({ code: 1 });
  });
});
