import { Module, type DynamicModule } from '@nestjs/common';
import { Desk } from './desk';
import { RecordController } from './http/record.controller';
import { SessionsController } from './http/sessions.controller';
import { TurnsController } from './http/turns.controller';
import { NoticesController } from './notices.controller';

@Module({})
export class AppModule {
  static over(desk: Desk): DynamicModule {
    return {
      module: AppModule,
      controllers: [SessionsController, TurnsController, RecordController, NoticesController],
      providers: [{ provide: Desk, useValue: desk }],
    };
  }
}
