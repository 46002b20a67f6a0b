import { describe, expect, it } from '@jest/globals';
import { ID_PREFIXES, idFor, idOfText, newEventId, newId } from './ids';

const V7 = '[0-9a-f]{8}[0-9a-f]{4}7[0-9a-f]{3}[89ab][0-9a-f]{3}[0-9a-f]{12}';

describe('Ids', () => {
  it('[CONTENT-016] are one of the known prefixes and a lower-case UUIDv7 without dashes', () => {
    expect(ID_PREFIXES).toEqual(['goal', 'run', 'call', 'appr', 'stg', 'inc', 'prom', 'con', 'int', 'art', 'mem', 'item', 'conv', 'prop', 'desk', 'key', 'site', 'flow', 'usr', 'sub', 'dep']);
    for (const prefix of ID_PREFIXES) {
      const repeatable = { commandId: newEventId(), repeatable: true };
      for (const id of [newId(prefix), idFor(prefix, repeatable), idFor(prefix, { commandId: 'x' }), idOfText(prefix, 'text')]) {
        expect(id).toMatch(new RegExp(`^${prefix}_${V7}$`));
      }
    }
  });

  it('are the same for the same repeatable command, and keep its time', () => {
    const commandId = newEventId();
    expect(idFor('goal', { commandId, repeatable: true })).toBe(idFor('goal', { commandId, repeatable: true }));
    expect(idFor('goal', { commandId, repeatable: true })).not.toBe(idFor('run', { commandId, repeatable: true }).replace('run', 'goal'));
    expect(idFor('goal', { commandId, repeatable: true }).slice(5, 17)).toBe(commandId.replaceAll('-', '').slice(0, 12));
    expect(idFor('goal', { commandId })).not.toBe(idFor('goal', { commandId }));
  });

  it('of the same text are the same', () => {
    expect(idOfText('key', 'a')).toBe(idOfText('key', 'a'));
    expect(idOfText('key', 'a')).not.toBe(idOfText('key', 'b'));
  });
});
