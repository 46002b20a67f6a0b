export { ReplayModule, type ReplayOptions } from './replay.module';
