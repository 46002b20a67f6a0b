export { prepareAction } from './door/action';
export { DESTROYING, destroyedBy } from './door/destroyed-keys.process';
export { SealedArguments } from './door/sealed-arguments';
export { parkedCallExpiry } from './expire-parked-call/parked-call-expiry';
export { HandlersByKind } from './handlers-by-kind';
export { ToolCallsModule } from './tool-calls.module';
