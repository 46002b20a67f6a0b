import { Module } from '@nestjs/common';
import { ModelAnswers } from './ask-model/model-answers';
import { AssistContentHandler, SuggestFieldHandler } from './assist/assist.handlers';
import { DescribeApiHandler, DescribeAppHandler, MakeSeedsHandler } from './describe-site/describe-site.handlers';
import { GenerateAppController } from './generate-app.controller';
import { GenerateAppHandler } from './generate-app/generate-app.handler';
import { SiteContextReader } from './site-context/site-context';

/** The application provides `Executor`, `EventStore`, `Bus` and `LanguageModel`. */
@Module({
  controllers: [GenerateAppController],
  providers: [ModelAnswers, SiteContextReader, GenerateAppHandler, DescribeAppHandler, DescribeApiHandler, MakeSeedsHandler, SuggestFieldHandler, AssistContentHandler],
})
export class GenerateAppModule {}
