import { Module } from '@nestjs/common';
import { ForgetSubjectHandler } from './forget-subject/forget-subject.handler';
import { PrivacyController } from './forget-subject/privacy.controller';
import { RunForgetting } from './forget-subject/run-forgetting';

@Module({ controllers: [PrivacyController], providers: [RunForgetting, ForgetSubjectHandler] })
export class PrivacyModule {}
