/** For specs: an application as the services have it, thin handlers over something that is injected. */
import { Controller, Inject, Injectable, Module, UseFilters, type DynamicModule } from '@nestjs/common';
import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import type { Cancel, ControlNotice, Notice, Wake } from '@writ/contracts';
import type { DeliveryVerdict } from '@writ/runtime';
import {
  APPROVE_PATTERN,
  CANCEL_PATTERN,
  DeliveryContext,
  EXECUTE_PATTERN,
  NOTICE_PATTERN,
  PassThrown,
} from '..';

export type Answer = (wake: Wake, nth: number) => unknown;

/** Remembers what the handlers were given; answers as the spec says. */
@Injectable()
export class Desk {
  readonly wakes: Wake[] = [];
  readonly approvals: Wake[] = [];
  readonly hints: unknown[] = [];
  readonly patterns: string[] = [];

  constructor(@Inject('answer') private readonly answer: Answer) {}

  async take(wake: Wake): Promise<unknown> {
    this.wakes.push(wake);
    const nth = this.wakes.filter(({ callId }) => callId === wake.callId).length;
    return this.answer(wake, nth);
  }
}

/** A service's handler of wakes returns a `DeliveryVerdict`; this one whatever the spec wants to see handled. */
@Controller()
@UseFilters(PassThrown)
export class SampleController {
  constructor(private readonly desk: Desk) {}

  @MessagePattern(EXECUTE_PATTERN)
  execute(@Payload() wake: Wake, @Ctx() context: DeliveryContext): Promise<unknown> {
    this.desk.patterns.push(context.pattern);
    return this.desk.take(wake);
  }

  @MessagePattern(APPROVE_PATTERN)
  approve(@Payload() wake: Wake): DeliveryVerdict {
    this.desk.approvals.push(wake);
    return { verdict: 'ack' };
  }

  @EventPattern(NOTICE_PATTERN)
  notice(@Payload() notice: Notice | ControlNotice): void {
    this.desk.hints.push(notice);
    if ('control' in notice) throw new Error('a bug in a handler of hints');
  }

  @EventPattern(CANCEL_PATTERN)
  cancel(@Payload() cancel: Cancel): void {
    this.desk.hints.push(cancel);
  }
}

@Module({})
export class SampleModule {
  static answering(answer: Answer): DynamicModule {
    return {
      module: SampleModule,
      controllers: [SampleController],
      providers: [Desk, { provide: 'answer', useValue: answer }],
    };
  }
}
