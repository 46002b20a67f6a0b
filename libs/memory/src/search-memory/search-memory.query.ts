import { Query } from '@app/kernel';
import type { FoundMemory } from '../memory-list/memory.view';
import type { Reader } from '../scope.policy';
import type { Question } from './ranking.policy';

export type FoundMemories = { readonly rows: readonly FoundMemory[]; readonly position: bigint };

/**
 * What is remembered for a reader, best first, fit for a prompt. A question of neither words nor embedding finds all, by confidence and recency.
 * The reader is who a server has found out to be asking; nothing of it may come from a body or from a model.
 */
export class SearchMemory extends Query<FoundMemories> {
  constructor(
    readonly reader: Reader,
    readonly question: Question & { readonly now: Date; readonly limit: number; readonly minPosition?: bigint | undefined },
  ) {
    super();
  }
}
