export { matchesPattern, patternProblem } from './linear-patterns';
export { checkArguments, schemaProblem, type ArgumentProblem, type Checked } from './schema-validator';
export { asDialect2020 } from './draft-07';
export { isSchemaObject, type SchemaObject } from './schema-keywords';
