// Loaded first into Node for Windows. Wine 8 lacks TCP_KEEPIDLE: a socket whose keep-alive is set before it is
// connected never connects.
const net = require('node:net');

net.Socket.prototype.setKeepAlive = function () {
  return this;
};
