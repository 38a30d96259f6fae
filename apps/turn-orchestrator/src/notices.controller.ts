import { Controller, UseFilters } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { ControlNotice, Notice } from '@writ/contracts';
import { NOTICE_PATTERN, PassThrown } from '@writ/nest-nats';
import { Desk } from './desk';

@Controller()
@UseFilters(PassThrown)
export class NoticesController {
  constructor(private readonly desk: Desk) {}

  @EventPattern(NOTICE_PATTERN)
  notice(@Payload() notice: Notice | ControlNotice): void {
    this.desk.sessions.notice(notice);
  }
}
