/** The baseline of the streams benchmark: only sends a heartbeat to every client every ten seconds. Prints its port. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const SLOTS = 20;
const slots = Array.from({ length: SLOTS }, () => new Set<ServerResponse>());
const frame = (event_type: string) =>
  `data: ${JSON.stringify({ event_type, timestamp: '2026-01-01 00:00:00.000000', data: {} })}\n\n`;
let opened = 0;
let ticks = 0;

const server = createServer((_request, response) => {
  const slot = slots[opened++ % SLOTS]!;
  slot.add(response);
  response.on('close', () => slot.delete(response));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(frame('connection.ok'));
});
setInterval(() => {
  for (const response of slots[ticks++ % SLOTS]!) response.write(frame('heartbeat'));
}, 10_000 / SLOTS);
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
