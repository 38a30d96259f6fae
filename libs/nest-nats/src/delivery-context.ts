import { BaseRpcContext } from '@nestjs/microservices';

/** What `@Ctx()` gives a handler. The delivery itself is answered by the handler's verdict, nowhere else. */
export class DeliveryContext extends BaseRpcContext<[pattern: string]> {
  get pattern(): string {
    return this.args[0];
  }
}
