import { type ChildProcess, fork } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { UtilityProcess } from '../../../src/main/server-process/utility-process.ts'
import { ChildChannel } from '../../electron-double/child-channel.ts'
import { MessageChannelMain, type MessagePortMain } from '../../electron-double/message-port.ts'
import { scriptFile } from '../workers/script-file.ts'

const PARENT_PORT = pathToFileURL(join(import.meta.dirname, 'parent-port.ts')).href

export interface Forked extends UtilityProcess<MessagePortMain> {
  readonly child: ChildProcess
}

/**
 * Runs the server process under plain Node, which treats unhandled rejections as Electron does.
 * `env`: for `parent-port.ts`, beside what this process has.
 */
export function forkServer(env: Readonly<Record<string, string>> = {}): Forked {
  const child = fork(scriptFile('server-process'), {
    execArgv: ['--unhandled-rejections=warn-with-error-code', '--import', PARENT_PORT],
    serialization: 'advanced',
    env: { ...process.env, TIDEGATE_LOG_LEVEL: 'silent', ...env },
  })
  const messages = new EventEmitter()
  const channel = new ChildChannel(child, (message) => messages.emit('message', message))
  return {
    child,
    post: (request) => channel.post(request, []),
    connect() {
      const { port1, port2 } = new MessageChannelMain()
      channel.post({ type: 'connect' }, [port2])
      port2.close()
      return port1
    },
    onMessage: (listener) => messages.on('message', listener),
    onExit: (listener) => child.once('exit', (code) => listener(code ?? -1)),
    kill: () => child.kill(),
  }
}
