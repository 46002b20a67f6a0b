import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, ApiList, Caller, listAnswer, ListQuery, MinPosition, OneTimeAnswer, orProblem, RequireCapability } from '@app/http';
import type { z } from 'zod';
import { CreatedSubscription, CreateSubscription, CreateSubscriptionBody } from './create-subscription/create-subscription.command';
import { DeletedSubscription, DeleteSubscription } from './delete-subscription/delete-subscription.command';
import { ReplaySubscription, ReplaySubscriptionBody } from './replay-subscription/replay-subscription.command';
import { GetSubscriptionStatus, ListSubscriptions } from './subscription-list/subscription-queries.query';
import { SubscriptionStatus, SubscriptionView } from './subscription-list/subscription.view';

const SubscriptionsQuery = ListQuery.omit({ sort: true });

@Controller('cdc/subscriptions')
@RequireCapability('cdc:manage')
export class SubscriptionsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @ApiList(SubscriptionView)
  async list(@Query({ schema: SubscriptionsQuery }) { limit, cursor }: z.infer<typeof SubscriptionsQuery>, @MinPosition() minPosition: bigint | undefined, @Caller() { siteId }: Caller) {
    return listAnswer(await this.bus.ask(new ListSubscriptions(siteId, { limit, cursor, minPosition })));
  }

  @Post()
  @ApiAnswer(CreatedSubscription, { status: 201 })
  @OneTimeAnswer('secret')
  async create(@Body({ schema: CreateSubscriptionBody }) body: CreateSubscriptionBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new CreateSubscription(body, caller.context())));
  }

  @Get(':subscriptionId')
  @ApiAnswer(SubscriptionStatus)
  async get(@Param('subscriptionId') subscriptionId: string, @Caller() { siteId }: Caller) {
    return orProblem(await this.bus.ask(new GetSubscriptionStatus(subscriptionId, siteId)));
  }

  @Post(':subscriptionId/replay')
  @ApiAnswer(SubscriptionView)
  async replay(@Param('subscriptionId') subscriptionId: string, @Body({ schema: ReplaySubscriptionBody }) body: ReplaySubscriptionBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new ReplaySubscription(subscriptionId, body, caller.context())));
  }

  @Delete(':subscriptionId')
  @ApiAnswer(DeletedSubscription)
  async remove(@Param('subscriptionId') subscriptionId: string, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new DeleteSubscription(subscriptionId, caller.context())));
  }
}
