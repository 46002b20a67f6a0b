import type { CoreSkill } from './core-skill';
import { deliverySkills } from './delivery-skills';
import { deskSkills } from './desk-skills';
import { flowSkills } from './flow-skills';
import { generationSkills } from './generation-skills';
import { intentSkills } from './intent-skills';
import { itemSkills } from './item-skills';
import { keySkills } from './key-skills';
import { policySkills } from './policy-skills';
import { roleSkills } from './role-skills';
import { schemaSkills } from './schema-skills';
import { upkeepSkills } from './upkeep-skills';
import { registryOf, type SkillEntry } from './skill-registry';
import { userSkills } from './user-skills';
import { versionSkills } from './version-skills';

/** The skills every site starts with, in one list: the registry, the handlers and the reference are all made from it. */
export const coreSkills: readonly CoreSkill[] = [...schemaSkills, ...itemSkills, ...versionSkills, ...roleSkills, ...policySkills, ...userSkills, ...keySkills, ...intentSkills, ...flowSkills, ...generationSkills, ...upkeepSkills, ...deskSkills, ...deliverySkills];

/** What the list tells, without what it does. */
export const skillRegistry: readonly SkillEntry[] = registryOf(coreSkills);
