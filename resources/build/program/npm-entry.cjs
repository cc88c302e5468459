#!/usr/bin/env node
// The entry of npm's package. An old Node could not even read our code, so this file is written for any Node.
'use strict';
var version = process.versions.node;
if (Number(version.split('.')[0]) < 24) {
  process.stderr.write(
    'outtray: needs Node 24 or newer; this is Node ' +
      version +
      '. Install a newer Node, or the package outtray-cli, which needs none.\n',
  );
  process.exitCode = 2;
} else require('./lib/cli.cjs');
