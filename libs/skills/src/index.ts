export { coreSkills } from './core-skills';
export { SkillHandlers } from './skill-handlers';
