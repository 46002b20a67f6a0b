export { matchesPattern, patternProblem } from './linear-patterns';
export { checkArguments, schemaProblem, type ArgumentProblem, type Checked } from './schema-validator';
