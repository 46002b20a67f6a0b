export { AgentReviewModule } from './agent-review.module';
