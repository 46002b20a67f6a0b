export { governanceEvents, type GovernanceEvent } from './governance.events';
export { governance, type Governance, type RegisteredTool } from './governance.state';
export { domainOf, effectiveTool, toolOf, toolsOf, type EffectiveTool } from './risk.policy';
export { Capability, DEFAULT_TIMEOUT_MS, JsonSchema, ToolDefinition, ToolGovernance, ToolName, TOOL_RISKS } from './tool.schema';
export { CoreTools, registrationsDue } from './core-tools.policy';
