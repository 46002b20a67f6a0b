export { FORGETTING, forgottenBy } from './forgotten-texts.process';
export { memoryEvents } from './memory.events';
export { memories } from './memory-list/memories.projection';
export { MemoryModule } from './memory.module';
