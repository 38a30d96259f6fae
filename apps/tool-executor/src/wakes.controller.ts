import { Controller, UseFilters } from '@nestjs/common';
import { EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import type { Cancel, Wake } from '@writ/contracts';
import { CANCEL_PATTERN, EXECUTE_PATTERN, PassThrown } from '@writ/nest-nats';
import { CallExecutor, type DeliveryVerdict } from '@writ/runtime';

@Controller()
@UseFilters(PassThrown)
export class WakesController {
  constructor(private readonly executor: CallExecutor) {}

  @MessagePattern(EXECUTE_PATTERN)
  execute(@Payload() wake: Wake): Promise<DeliveryVerdict> {
    return this.executor.handle(wake);
  }

  @EventPattern(CANCEL_PATTERN)
  cancel(@Payload() cancel: Cancel): void {
    this.executor.cancel(cancel.callId, cancel.reason);
  }
}
