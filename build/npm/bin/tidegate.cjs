#!/usr/bin/env node
'use strict'

// In a syntax that every Node can parse, so that one that is too old can print the error below.

const oldest = require('../package.json').engines.node.replace('>=', '')
const running = process.versions.node

function isOlder(version, than) {
  const left = version.split('.').map(Number)
  const right = than.split('.').map(Number)
  const part = left.findIndex((number, index) => number !== right[index])
  return part !== -1 && left[part] < right[part]
}

if (isOlder(running, oldest)) {
  const found = `this is Node ${running}`
  process.stderr.write(
    `Tidegate needs Node ${oldest} or later, and ${found}. Install a newer Node.\n`,
  )
  process.exitCode = 1
} else {
  require('./start.cjs')
}
