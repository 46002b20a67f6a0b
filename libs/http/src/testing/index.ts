export { KnownKeys, principalOf } from './known-keys';
export { startHttp, type RunningHttp } from './start-http';
