import { Module, type DynamicModule } from '@nestjs/common';
import { ApprovalsController } from './approvals.controller';
import { Desk } from './desk';
import { Lists } from './lists';
import { WakesController } from './wakes.controller';

@Module({})
export class AppModule {
  static over(desk: Desk, lists: Lists): DynamicModule {
    return {
      module: AppModule,
      controllers: [ApprovalsController, WakesController],
      providers: [
        { provide: Desk, useValue: desk },
        { provide: Lists, useValue: lists },
      ],
    };
  }
}
