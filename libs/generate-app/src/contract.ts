export { AssistContent, AssistContentInput, SuggestField, SuggestFieldInput } from './assist/assist.query';
export { ApiDocsInput, AppSpecInput, DescribeApi, DescribeApp, MakeSeeds, SeedDataInput } from './describe-site/describe-site.query';
export { GenerateApp, GenerateAppBody, GeneratedApp } from './generate-app/generate-app.command';
