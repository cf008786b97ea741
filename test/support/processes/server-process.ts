import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { UtilityProcess } from '../../../src/main/server-process/utility-process.ts'

const PARENT_PORT = pathToFileURL(join(import.meta.dirname, 'parent-port.ts')).href
const SOURCE = join(import.meta.dirname, '../../../src/server/host.ts')

export interface Forked extends UtilityProcess {
  readonly child: ChildProcess
}

/**
 * Runs the server process under plain Node, which treats unhandled rejections as Electron does.
 * `env`: for `parent-port.ts`, beside what this process has.
 */
export function forkServer(env: Readonly<Record<string, string>> = {}): Forked {
  const child = fork(SOURCE, {
    execArgv: ['--unhandled-rejections=warn-with-error-code', '--import', PARENT_PORT],
    serialization: 'advanced',
    env: { ...process.env, TIDEGATE_LOG_LEVEL: 'silent', ...env },
  })
  return {
    child,
    post: (request) => child.connected && child.send(request),
    onMessage: (listener) => child.on('message', listener),
    onExit: (listener) => child.once('exit', (code) => listener(code ?? -1)),
    kill: () => child.kill(),
  }
}
