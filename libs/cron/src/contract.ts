export { instantOf, isTimeZone, offsetOf, transition, wallTime } from './zone.policy';
