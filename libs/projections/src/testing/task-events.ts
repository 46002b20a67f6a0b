import type { Recorded } from '@app/kernel';

export const SITE = 'site-a';
export const OTHER = 'site-b';

/** A history with nulls, every column type, letters beyond ASCII and a task of another site. */
export const taskEvents = (): readonly Recorded[] => {
  const all: Recorded[] = [];
  const add = (id: string, type: string, data: object, siteId = SITE) => {
    const position = BigInt(all.length + 1);
    all.push({
      type,
      data,
      position,
      streamId: `task-${id}`,
      version: 1,
      eventId: `e${position}`,
      schemaVersion: 1,
      siteId,
      occurredAt: '2026-11-30T10:00:00.000Z',
      metadata: { actor: { kind: 'human', id: 'ada' }, correlationId: 'c', commandId: 'c' },
      chain: { leaf: '', batch: position },
    });
  };
  const titles = ['Ärger', 'zebra', 'Apple', 'apple', 'éclair', '100%', 'under_score', 'back\\slash', '🦊 fox', ''];
  for (let i = 0; i < 40; i++) {
    add(`t${String(i).padStart(2, '0')}`, 'TaskOpened', {
      title: titles[i % 10]!,
      tags: i % 3 ? [`tag${i % 4}`, 'all'] : [],
      size: i % 5 ? i / 4 : 0 - i,
    });
    if (i % 2) add(`t${String(i).padStart(2, '0')}`, 'TaskAssigned', { to: ['ada', 'bob', 'eve'][i % 3]! });
    const details = [{ n: i, s: `v${i % 3}`, list: ['x', i % 2], flag: i % 2 === 0 }, { n: String(i) }, [1, i], 'text', null][i % 5]!;
    if (i % 4) add(`t${String(i).padStart(2, '0')}`, 'TaskMeasured', { size: i, details });
  }
  add('foreign', 'TaskOpened', { title: 'secret', tags: [], size: 1 }, OTHER);
  return all;
};
