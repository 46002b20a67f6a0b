export { checkArguments, schemaProblem, type ArgumentProblem, type Checked } from './schema-validator';
