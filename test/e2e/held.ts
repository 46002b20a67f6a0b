import { skill } from '@app/skills';
import { z } from 'zod';

const held = new Map<string, () => void>();

/** A tool whose handler runs until the test lets it go, by the name it was called with. */
export const hold = skill('hold', {
  description: 'Waits for the test.', input: z.strictObject({ name: z.string() }), capability: 'items:update', risk: 'write',
  run: ({ name }) => new Promise((settle) => held.set(name, () => settle({ ok: true, data: { held: name }, position: 0n }))),
});

/** Once the handler is running: what lets it go. */
export const untilHeld = async (name: string): Promise<() => void> => {
  while (!held.has(name)) await new Promise((turn) => setImmediate(turn));
  return held.get(name)!;
};
