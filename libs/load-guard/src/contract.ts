export { loadEvents, type LoadEvent } from './load.events';
export { load, type Load } from './load.state';
export { DEFAULT_HOLD_DOWN_MS, DEFAULT_THRESHOLDS, SAMPLE_EVERY_MS, type LoadSample, type LoadThresholds } from './backpressure/backpressure.policy';
export { WriteWindow, type CollectionWrites } from './write-window/write-window.policy';
