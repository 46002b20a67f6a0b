export { activity } from './activity.projection';
export { ActivityModule } from './activity.module';
