import { Injectable } from '@nestjs/common';
import { Executor, type StreamRef } from '@app/event-store';
import { accept, missing, reject, type Context, type Decision, type Outcome } from '@app/kernel';
import type { CollectionEvent } from '../collection.events';
import { collection, collectionId, type Collection } from '../collection.state';
import { Name } from '../field.schema';
import { unknownAhead, type Collections, type RelationEvents } from './relation.decide';

/** `ahead`: every collection that this one leads to is read, and guarded, as well. */
type Scope = { readonly written: readonly string[]; readonly ahead?: string };

/** Each round reads all collections one step further on. A longer chain is more likely a mistake than a schema. */
const MAX_STEPS = 50;

/** Runs a decision on the collections of a relation. Those that it only looks at are guarded, so no two relations close a cycle between them. */
@Injectable()
export class RelationWriter {
  constructor(private readonly executor: Executor) {}

  async write({ written, ahead }: Scope, context: Context, decide: (states: Collections) => Decision<RelationEvents>): Promise<Outcome<null>> {
    if (!written.every((name) => Name.safeParse(name).success)) return missing();
    const refOf = (name: string) => ({ aggregate: collection, id: collectionId(context.siteId, name) });
    const refs: Record<string, StreamRef<Collection, CollectionEvent>> = Object.fromEntries(written.map((name) => [name, refOf(name)]));
    for (let step = 0; step < MAX_STEPS; step++) {
      let wanted: readonly string[] = [];
      const done = await this.executor.execute(refs, context, (states) => {
        wanted = ahead === undefined ? [] : unknownAhead(states, ahead);
        if (wanted.length > 0) return reject('conflict', 'CONFLICT', 'Not everything was read.');
        const decision = decide(states);
        return decision.ok ? accept(decision.events) : decision;
      });
      if (done.ok) return { ok: true, data: null, position: done.position };
      if (wanted.length === 0) return done;
      for (const name of wanted) refs[name] = { ...refOf(name), guard: true };
    }
    return reject('conflict', 'CONFLICT', `The collection ${ahead ?? ''} leads further than ${MAX_STEPS} relations.`);
  }
}
