import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { coreSkills, skillRegistry } from './core-skills';
import { SkillHandlers } from './skill-handlers';
import { skillDrift, skillsDocument } from './skills-document';

const file = join(import.meta.dirname, '../../../docs/skills.md');
if (process.env['WRITE_DOCS']) writeFileSync(file, skillsDocument());
const text = readFileSync(file, 'utf8');
const handlers = new SkillHandlers(undefined as never, coreSkills).keys;
const [first, second, ...others] = skillRegistry;

describe('The reference of the skills', () => {
  it('[SKILL-004] says of every skill what registry and handlers say, and of no other', () => {
    expect(skillDrift(skillRegistry, handlers, text)).toEqual([]);
    expect(text).toBe(skillsDocument());
  });

  it.each([
    ['a skill without a handler', () => skillDrift(skillRegistry, handlers.slice(1), text), [`${first!.name} has no handler ${first!.handler}`]],
    ['a handler without a skill', () => skillDrift(skillRegistry, [...handlers, 'items.burn'], text), ['The handler items.burn belongs to no skill']],
    ['a skill that nobody documented', () => skillDrift(skillRegistry, handlers, text.replace(`| \`${first!.name}\` |`, '|')), [`${first!.name} is not documented`]],
    ['a documented skill that does not exist', () => skillDrift([second!, ...others], handlers.slice(1), text), [`${first!.name} is documented and does not exist`]],
    ['a skill that is there twice', () => skillDrift([first!, ...skillRegistry], handlers, text), [`${first!.name} is registered twice`, `The handler ${first!.handler} is named twice`]],
  ])('[SKILL-004] differs when there is %s', (_name, drift, expected) => {
    expect(drift()).toEqual(expected);
  });

  it.each(skillRegistry.map((entry) => [entry.name, entry] as const))('[SKILL-004] differs in any word about %s', (name, entry) => {
    const changes = [
      { description: `${entry.description} Nearly.` }, { capabilities: ['nothing:at-all'] }, { risk: entry.risk === 'read' ? 'write' : 'read' }, { dangerous: !entry.dangerous }, { irreversible: !entry.irreversible },
      { idempotent: !entry.idempotent }, { stageable: !entry.stageable }, { domain: entry.domain === 'items' ? 'tools' : 'items' }, { parameters: { ...entry.parameters, properties: { changed: {} } } },
    ] as const;
    for (const change of changes) {
      const changed = skillRegistry.map((each) => (each === entry ? { ...each, ...change } : each)) as typeof skillRegistry;
      expect(skillDrift(changed, handlers, text)).toEqual([expect.stringContaining(`${name} is documented as it is not`)]);
    }
  });
});
