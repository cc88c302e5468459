// Loaded into the Node of Windows before anything else. Wine 8 does not know TCP_KEEPIDLE: a socket that is told to stay
// alive before it is connected never connects.
import net from 'node:net';

net.Socket.prototype.setKeepAlive = function () {
  return this;
};
