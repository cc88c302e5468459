// A server may say `100 Continue` without being asked, and a client has to read over it (RFC 9110 §15.2). undici
// takes it for a broken answer; behind a service that does this, every upload would end in doubt. So the bytes of
// such an interim answer are left out before undici reads them.
import type { Socket } from 'node:net';

const start = 'HTTP/1.1 100';
/** More than this is no interim answer; undici's own limit of the head then applies. */
const maxBytes = 8 * 1024;

/** Changes `socket.read`, which is how undici takes what came, until the real answer begins. */
export const skipContinue = (socket: Socket): void => {
  const read = socket.read.bind(socket);
  let opening = Buffer.alloc(0);
  socket.read = (size?: number): unknown => {
    const piece: unknown = read(size);
    if (!(piece instanceof Uint8Array)) return piece;
    opening = Buffer.concat([opening, piece]);
    for (;;) {
      const line = opening.subarray(0, start.length).toString('latin1');
      const end = opening.indexOf('\r\n\r\n');
      if (line === start && end >= 0) {
        opening = opening.subarray(end + 4);
        continue;
      }
      // Null is what a socket says while nothing is there; more to read is announced by itself.
      const isOpen = line === start ? opening.length < maxBytes : start.startsWith(line);
      if (isOpen) return null;
      socket.read = read;
      return opening;
    }
  };
};
