export { HttpTools, type HttpToolsParts } from './http-tools';
