export { Liveness, type LivenessOptions } from './liveness';
export { migrateLiveness } from './migrate';
