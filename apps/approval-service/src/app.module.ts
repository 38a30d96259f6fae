import { Module, type DynamicModule } from '@nestjs/common';
import { ApprovalsController } from './approvals.controller';
import { Desk } from './desk';

@Module({})
export class AppModule {
  static over(desk: Desk): DynamicModule {
    return {
      module: AppModule,
      controllers: [ApprovalsController],
      providers: [{ provide: Desk, useValue: desk }],
    };
  }
}
