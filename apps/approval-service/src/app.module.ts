import { Module, type DynamicModule } from '@nestjs/common';
import { ApprovalsController } from './approvals.controller';
import { Desk } from './desk';
import { DoubtDesk } from './doubt-desk';
import { InDoubtController } from './in-doubt.controller';
import { Lists } from './lists';
import { WakesController } from './wakes.controller';

@Module({})
export class AppModule {
  static over({ desk, doubts, lists }: { desk: Desk; doubts: DoubtDesk; lists: Lists }): DynamicModule {
    return {
      module: AppModule,
      controllers: [ApprovalsController, InDoubtController, WakesController],
      providers: [
        { provide: Desk, useValue: desk },
        { provide: DoubtDesk, useValue: doubts },
        { provide: Lists, useValue: lists },
      ],
    };
  }
}
