export { isControlPlane, type Classed } from './control-plane.policy';
