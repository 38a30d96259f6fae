import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { throwError, type Observable } from 'rxjs';

/**
 * Hands what a handler threw to the transport as it is. Without it Nest logs the error with its message, which may quote
 * arguments, and passes on a nameless object; the bus then logs class and place only. For message handlers: use it with
 * `@UseFilters`, or globally in an application that inherits its configuration.
 */
@Catch()
export class PassThrown implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): Observable<never> {
    if (host.getType() !== 'rpc') throw thrown;
    return throwError(() => thrown);
  }
}
