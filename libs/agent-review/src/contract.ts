export { AgentDecide, AgentDecideBody, AgentDecided } from './agent-decide/agent-decide.command';
export { agentDecisionRefusal, reviewRefusal, sameTree, type ReviewFacts } from './agent-review.policy';
