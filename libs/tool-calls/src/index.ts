export { prepareAction } from './door/action';
export { parkedCallExpiry } from './expire-parked-call/parked-call-expiry';
export { ToolCallsModule } from './tool-calls.module';
