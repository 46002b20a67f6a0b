export { ToolCallsModule } from './tool-calls.module';
