import { Controller, Get, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Bus } from '@app/cqrs';
import { EventStore, Executor } from '@app/event-store';
import { ApiEventStream, ApiList, Caller, Draining, LastEventId, listAnswer, ListQuery, MinPosition, sse, type ServerSentEvent } from '@app/http';
import { goal } from '@app/goals/contract';
import { z } from 'zod';
import { HEARD, notificationOf } from '../notification.policy';
import { KINDS, Notification } from '../notification.schema';
import { ListNotifications } from './list-notifications.query';

const NotificationsQuery = ListQuery.omit({ sort: true }).extend({ kind: z.enum(KINDS).optional() });

/** The inbox of the site, for everybody who works on it. */
@Controller('notifications')
export class NotificationsController {
  constructor(
    private readonly bus: Bus,
    private readonly store: EventStore,
    private readonly executor: Executor,
    private readonly draining: Draining,
  ) {}

  @Get()
  @ApiList(Notification, { description: 'What happened and may concern people, newest first' })
  async list(@Query({ schema: NotificationsQuery }) { limit, cursor, kind }: z.infer<typeof NotificationsQuery>, @MinPosition() minPosition: bigint | undefined, @Caller() { siteId }: Caller) {
    return listAnswer(await this.bus.ask(new ListNotifications(siteId, { limit, cursor, kind, minPosition })));
  }

  /** The room of the site: each notification as it comes up. Begins with the next one, or behind `Last-Event-ID`. The event name is the kind. */
  @Get('stream')
  @ApiEventStream('Notifications of the site as they come up; resumes after Last-Event-ID')
  async stream(@LastEventId() lastEventId: bigint | undefined, @Caller() { siteId }: Caller, @Res() reply: FastifyReply) {
    const after = lastEventId ?? (await this.store.head());
    await sse(reply, (signal) => this.room(siteId, after, signal), { signal: this.draining.signal });
  }

  private async *room(siteId: string, after: bigint, signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
    for await (const page of this.store.follow(after, { filter: { siteId, types: [...HEARD] }, signal })) {
      for (const event of page) {
        const notification = notificationOf(event);
        if (!notification || (notification.kind === 'goal' && !(await this.hasParts(notification.id)))) continue;
        yield { id: String(event.position), event: notification.kind, data: notification };
      }
    }
  }

  private async hasParts(goalId: string): Promise<boolean> {
    const { state } = await this.executor.current(goal, goalId);
    return state.status !== 'none' && state.children.length > 0;
  }
}
