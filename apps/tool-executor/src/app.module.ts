import { Module, type DynamicModule } from '@nestjs/common';
import { CallExecutor } from '@writ/runtime';
import { WakesController } from './wakes.controller';

@Module({})
export class AppModule {
  static over(executor: CallExecutor): DynamicModule {
    return {
      module: AppModule,
      controllers: [WakesController],
      providers: [{ provide: CallExecutor, useValue: executor }],
    };
  }
}
