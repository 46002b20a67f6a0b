import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, ApiList, Caller, listAnswer, ListQuery, MinPosition, orProblem, RequireCapability } from '@app/http';
import { z } from 'zod';
import { DeliveryView, ReplayedDelivery } from './delivery.view';
import { ListDeliveries, ReplayDelivery } from './deliveries.query';

const DeliveriesQuery = ListQuery.omit({ sort: true }).extend({ notificationId: z.string().min(1).max(200).optional() });

@Controller('notifications/deliveries')
export class DeliveriesController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @RequireCapability('notifications:read')
  @ApiList(DeliveryView, { description: 'Every attempt to tell somebody, newest first' })
  async list(@Query({ schema: DeliveriesQuery }) query: z.infer<typeof DeliveriesQuery>, @MinPosition() minPosition: bigint | undefined, @Caller() { siteId }: Caller) {
    return listAnswer(await this.bus.ask(new ListDeliveries(siteId, { ...query, minPosition })));
  }

  /** Once more now, for what failed. What was delivered is not sent again. */
  @Post(':deliveryId/replay')
  @HttpCode(200)
  @RequireCapability('notifications:write')
  @ApiAnswer(ReplayedDelivery)
  async replay(@Param('deliveryId') deliveryId: string, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new ReplayDelivery(deliveryId, caller.siteId, caller.context().now)));
  }
}
