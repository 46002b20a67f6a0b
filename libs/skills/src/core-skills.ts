import type { CoreSkill } from './core-skill';
import { itemSkills } from './item-skills';
import { schemaSkills } from './schema-skills';
import { upkeepSkills } from './upkeep-skills';
import { versionSkills } from './version-skills';

/** The skills every site starts with, in one list: the registry, the handlers and the reference are all made from it. */
export const coreSkills: readonly CoreSkill[] = [...schemaSkills, ...itemSkills, ...versionSkills, ...upkeepSkills];
