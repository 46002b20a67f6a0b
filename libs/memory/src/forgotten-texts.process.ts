import type { Recorded } from '@app/kernel';
import type { MemoryEvent } from './memory.events';
import { subjectsBefore, subjectsOf } from './memory-subject.policy';

export const FORGETTING: readonly MemoryEvent['type'][] = ['MemoryRedacted', 'MemoryForgotten'];

/** Prefixes of the subjects whose keys an event ends. */
export const forgottenBy = (event: Recorded<MemoryEvent>): readonly string[] => {
  const memoryId = event.streamId.slice('memory-'.length);
  if (event.type === 'MemoryForgotten') return [subjectsOf(memoryId)];
  return event.type === 'MemoryRedacted' ? subjectsBefore(memoryId, event.data.revision) : [];
};
