import { Module } from '@nestjs/common';
import { ForgetMemoryHandler } from './forget-memory/forget-memory.handler';
import { KeptTexts } from './kept-texts';
import { MemoryController } from './memory.controller';
import { ListMemoriesHandler } from './memory-list/list-memories.handler';
import { Readers } from './readers';
import { RedactMemoryHandler } from './redact-memory/redact-memory.handler';
import { SearchMemoryHandler } from './search-memory/search-memory.handler';
import { StoreMemoryHandler } from './store-memory/store-memory.handler';

@Module({ controllers: [MemoryController], providers: [KeptTexts, Readers, StoreMemoryHandler, RedactMemoryHandler, ForgetMemoryHandler, ListMemoriesHandler, SearchMemoryHandler] })
export class MemoryModule {}
