export { Backpressure, type BackpressureOptions, type LoadLimits } from './backpressure/backpressure';
export { LoadPeaks } from './backpressure/load-peaks';
export { LoadProbe, ProcessLoadProbe } from './backpressure/load-probe';
export { loadEvents } from './load.events';
export { LoadGuardDeferrals } from './load-guard-deferrals';
export { migrateLoadGuard } from './migrate';
export { RateWindows, type RateWindow, type WindowFull } from './rate-window/rate-windows';
