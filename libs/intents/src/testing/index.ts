export { ADA, at, catalogue, contextAt, goalsIn, intentWith, itemId, logOf, ofIntent, processOn, ROBOT, SITE, siteWith, START, type World } from './intent-world';
