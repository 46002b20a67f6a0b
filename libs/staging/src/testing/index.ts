export { APPROVAL, at, catalogue, contextAt, ITEM, logOf, processOn, SITE, STAGING, stagedWorld, WINDOW_MS } from './veto-world';
