// The keyring inside the program: its native module lies in `lib` under this one name on every system.
exports.AsyncEntry = require('./keyring.node').AsyncEntry;
