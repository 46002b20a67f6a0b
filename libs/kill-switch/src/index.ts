export { callsInFlight } from './calls-in-flight/calls-in-flight.projection';
export { KillSwitchModule } from './kill-switch.module';
