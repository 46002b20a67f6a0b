export { ada, context, robot, specification } from './given';
