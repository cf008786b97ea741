import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { HostProcess } from '../../../src/main/host-process.ts'

const PARENT_PORT = pathToFileURL(join(import.meta.dirname, 'parent-port.ts')).href
const SOURCE = join(import.meta.dirname, '../../../src/server/host.ts')

export interface Forked extends HostProcess {
  readonly child: ChildProcess
}

/** Runs the server process under plain Node: the sources, or what was built of them. */
export function forkHost(entry = SOURCE): Forked {
  const child = fork(entry, {
    execArgv: ['--import', PARENT_PORT],
    serialization: 'advanced',
    env: { ...process.env, TIDEGATE_LOG_LEVEL: 'silent' },
  })
  return {
    child,
    post: (request) => child.connected && child.send(request),
    onMessage: (listener) => child.on('message', listener),
    onExit: (listener) => child.once('exit', (code) => listener(code ?? -1)),
    kill: () => child.kill(),
  }
}
