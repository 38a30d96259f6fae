import { Catch, type ExceptionFilter } from '@nestjs/common';
import { throwError, type Observable } from 'rxjs';

/**
 * Hands what a handler threw to the transport as it is. Without it Nest logs the error with its message, which may quote
 * arguments, and passes on a nameless object; with it the bus logs class and place only. `@UseFilters(PassThrown)` on each
 * controller of this transport; not globally, since it knows no HTTP.
 */
@Catch()
export class PassThrown implements ExceptionFilter {
  catch(thrown: unknown): Observable<never> {
    return throwError(() => thrown);
  }
}
