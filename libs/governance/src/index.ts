export { governanceEvents } from './governance.events';
