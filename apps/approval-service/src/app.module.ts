import { Module, type DynamicModule } from '@nestjs/common';
import { ApprovalDesk, ApprovalLists, DoubtDesk } from '@writ/runtime';
import { ApprovalsController } from './approvals.controller';
import { InDoubtController } from './in-doubt.controller';
import { WakesController } from './wakes.controller';

export interface Desks {
  readonly desk: ApprovalDesk;
  readonly doubts: DoubtDesk;
  readonly lists: ApprovalLists;
}

@Module({})
export class AppModule {
  static over({ desk, doubts, lists }: Desks): DynamicModule {
    return {
      module: AppModule,
      controllers: [ApprovalsController, InDoubtController, WakesController],
      providers: [
        { provide: ApprovalDesk, useValue: desk },
        { provide: DoubtDesk, useValue: doubts },
        { provide: ApprovalLists, useValue: lists },
      ],
    };
  }
}
