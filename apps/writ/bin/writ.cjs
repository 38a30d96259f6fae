#!/usr/bin/env node
'use strict';
// Tracked, so that `npm ci` can link it before anything is built.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const main = join(__dirname, '..', 'dist', 'main.js');
if (existsSync(main)) require(main);
else {
  process.stderr.write('writ: not built yet; run `npm run build` first\n');
  process.exitCode = 2;
}
