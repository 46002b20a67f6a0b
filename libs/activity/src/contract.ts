export { ACTIVITY_KINDS, ActivityView } from './activity.view';
