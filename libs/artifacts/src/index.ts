export { artifactEvents } from './artifact.events';
export { artifacts } from './artifact-list/artifacts.projection';
export { reviewExpiry } from './expire-review/review-expiry';
export { ArtifactsModule } from './artifacts.module';
export { ArtifactSchedule, type ArtifactScheduleOptions } from './apply-artifact/work-schedule';
