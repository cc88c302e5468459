// A server may send `100 Continue` without being asked, and a client has to skip it (RFC 9110 §15.2). undici treats it
// as a broken answer; with a service that sends it, every upload would end in doubt.
import type { Socket } from 'node:net';

const start = 'HTTP/1.1 100';
/** More than this is no interim answer; undici's own limit of the head then applies. */
const maxBytes = 8 * 1024;

/** Call it before undici has the socket. It reads what arrives first and puts back everything but interim answers. */
export const skipContinue = (socket: Socket): void => {
  let opening = Buffer.alloc(0);
  const look = (): void => {
    const piece: unknown = socket.read();
    if (!(piece instanceof Uint8Array)) return;
    opening = Buffer.concat([opening, piece]);
    for (;;) {
      const line = opening.subarray(0, start.length).toString('latin1');
      const end = opening.indexOf('\r\n\r\n');
      if (line === start && end >= 0) {
        opening = opening.subarray(end + 4);
        continue;
      }
      const isOpen = line === start ? opening.length < maxBytes : start.startsWith(line);
      if (isOpen) return;
      socket.off('readable', look);
      socket.unshift(opening);
      return;
    }
  };
  socket.on('readable', look);
};
