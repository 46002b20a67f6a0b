/** Whether this server knows a message broker, so that a subscription may deliver to it. */
export abstract class Broker {
  abstract readonly isConfigured: boolean;
}
