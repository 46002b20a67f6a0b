export { authorised, envelope, fold, live, parked, started, succeeded } from '../run.examples';
