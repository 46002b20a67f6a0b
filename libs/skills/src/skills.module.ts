import { Module } from '@nestjs/common';
import { ActingPrincipalHandler } from './acting-principal/acting-principal.handler';

/** What skills ask of the harness itself. The application provides `Executor` and `Clock`. */
@Module({ providers: [ActingPrincipalHandler] })
export class SkillsModule {}
