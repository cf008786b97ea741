'use strict'

// npm and npx run a command in a shell, and some shells exit on SIGTERM without forwarding it.
if (process.env.npm_command !== undefined) process.env.TIDEGATE_STOP_WITH_PARENT ??= 'true'

import('../dist/cli.js')
