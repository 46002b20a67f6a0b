import { Module, type DynamicModule } from '@nestjs/common';
import type { MetricsAccess } from './metrics-access';
import { MetricsEndpoint } from './metrics-endpoint';
import { ACCESS, MetricsController } from './metrics.controller';

@Module({})
export class MetricsModule {
  static register({ endpoint, access }: { readonly endpoint: MetricsEndpoint; readonly access: MetricsAccess }): DynamicModule {
    const providers = [{ provide: MetricsEndpoint, useValue: endpoint }, { provide: ACCESS, useValue: access }];
    return { module: MetricsModule, controllers: [MetricsController], providers };
  }
}
