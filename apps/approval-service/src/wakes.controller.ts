import { Controller, UseFilters } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { Wake } from '@writ/contracts';
import { APPROVE_PATTERN, PassThrown } from '@writ/nest-nats';
import { ApprovalDesk, type DeliveryVerdict } from '@writ/runtime';

@Controller()
@UseFilters(PassThrown)
export class WakesController {
  constructor(private readonly desk: ApprovalDesk) {}

  @MessagePattern(APPROVE_PATTERN)
  approve(@Payload() wake: Wake): Promise<DeliveryVerdict> {
    return this.desk.woken(wake);
  }
}
