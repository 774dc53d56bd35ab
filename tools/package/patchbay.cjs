#!/usr/bin/env node
// Any version of Node has to be able to read this file.
'use strict'
var version = process.versions.node
var parts = version.split('.')
if (Number(parts[0]) < 22 || (Number(parts[0]) === 22 && Number(parts[1]) < 12)) {
  console.error(
    'patchbay: expected Node 22.12 or newer, this is Node ' +
      version +
      ' (' +
      process.execPath +
      '). ' +
      'Install a current version from https://nodejs.org and try again.',
  )
  process.exit(1)
}
require('../dist/cli/run.cjs')
