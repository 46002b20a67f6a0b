export { HEARTBEAT_EXPIRES_MS, Liveness, type LivenessOptions } from './liveness';
export { migrateLiveness } from './migrate';
