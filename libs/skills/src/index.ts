export { skill, type CoreSkill } from './core-skill';
export { coreSkills, skillRegistry } from './core-skills';
export { SkillHandlers } from './skill-handlers';
export { registryOf, type SkillEntry } from './skill-registry';
export { skillDrift, skillsDocument } from './skills-document';
export { getAiSdkTools, getAISkillsAsTools, getMcpTools, type AiSdkTool, type McpTool, type OpenAiTool } from './skills-as-tools';
export { SkillsModule } from './skills.module';
