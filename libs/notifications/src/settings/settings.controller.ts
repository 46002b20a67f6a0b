import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { EventStore } from '@app/event-store';
import { answer, ApiAnswer, Caller, orProblem, ProblemException, RequireCapability } from '@app/http';
import { reject } from '@app/kernel';
import { z } from 'zod';
import { PushSink } from '../sinks/push-sink';
import {
  ChannelsView, PreferencesView, PushSubscribedView, PutChannels, PutChannelsBody, PutPreferences, PutPreferencesBody, SubscribePush, SubscribePushBody, UnsubscribePush,
} from './change-settings.command';
import { GetChannels, GetPreferences } from './settings.query';

const PushKey = z.object({ publicKey: z.string() }).meta({ id: 'PushKey' });

/** Preferences are a person's own; agents are told by their runs. */
const personIn = ({ principal }: Caller) => {
  if (principal.kind !== 'human') throw ProblemException.of(reject('forbidden', 'FORBIDDEN', 'Preferences belong to people; this key is none of a person.').rejection);
  return principal;
};

@Controller('notifications')
export class NotificationSettingsController {
  constructor(
    private readonly bus: Bus,
    private readonly store: EventStore,
    private readonly push: PushSink,
  ) {}

  @Get('preferences')
  @ApiAnswer(PreferencesView)
  async preferences(@Caller() caller: Caller) {
    return orProblem(await this.bus.ask(new GetPreferences(personIn(caller), caller.siteId)));
  }

  @Put('preferences')
  @ApiAnswer(PreferencesView)
  async putPreferences(@Body({ schema: PutPreferencesBody }) body: z.infer<typeof PutPreferencesBody>, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new PutPreferences(body, personIn(caller), caller.context())));
  }

  /** What a browser needs to subscribe: `applicationServerKey` of the Push API. */
  @Get('push-key')
  @ApiAnswer(PushKey)
  async pushKey() {
    const { publicKey } = await this.push.vapidKeys();
    return answer({ publicKey }, await this.store.head());
  }

  @Post('push-subscriptions')
  @HttpCode(201)
  @ApiAnswer(PushSubscribedView, { status: 201 })
  async subscribe(@Body({ schema: SubscribePushBody }) body: z.infer<typeof SubscribePushBody>, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new SubscribePush(body, personIn(caller), caller.context())));
  }

  @Delete('push-subscriptions/:subscriptionId')
  @ApiAnswer(PushSubscribedView)
  async unsubscribe(@Param('subscriptionId') subscriptionId: string, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new UnsubscribePush(subscriptionId, personIn(caller), caller.context())));
  }

  @Get('channels')
  @RequireCapability('notifications:read')
  @ApiAnswer(ChannelsView)
  async channels(@Caller() { siteId }: Caller) {
    return orProblem(await this.bus.ask(new GetChannels(siteId)));
  }

  /** All channels of the site at once. */
  @Put('channels')
  @RequireCapability('notifications:write')
  @ApiAnswer(ChannelsView)
  async putChannels(@Body({ schema: PutChannelsBody }) { channels }: z.infer<typeof PutChannelsBody>, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new PutChannels(channels, caller.context())));
  }
}
