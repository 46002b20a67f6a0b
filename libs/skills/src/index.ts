export { skill, type CoreSkill } from './core-skill';
export { coreSkills } from './core-skills';
export { SkillHandlers } from './skill-handlers';
