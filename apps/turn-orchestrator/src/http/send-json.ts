import type { ServerResponse } from 'node:http';

/** Bytes that were rendered elsewhere are sent as they are. */
export function sendJson(response: ServerResponse, status: number, body: object | string): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
