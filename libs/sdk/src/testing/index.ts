export { answers, hangsUp, lists, loopback, message, refuses, streams, type Handler, type Loopback, type Seen } from './loopback';
