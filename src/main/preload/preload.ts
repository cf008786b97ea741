import { contextBridge, ipcRenderer } from 'electron'
import type { Bridge, CallRequest, SubscribeRequest } from '../../shared/console/bridge/bridge.ts'
import { CONNECT, PORT, type PortOffer, type PortTarget } from '../../shared/console/bridge/port.ts'
import { Connection, type Offered } from './connection.ts'

const waiting = new Map<PortTarget, (offered: Offered) => void>()

ipcRenderer.on(PORT, ({ ports: [port] }, { target, outcome }: PortOffer) => {
  waiting.get(target)?.(outcome === 'connected' && port !== undefined ? port : outcome)
})

function connectionTo(target: PortTarget): Connection {
  return new Connection(
    () =>
      new Promise((resolve) => {
        waiting.set(target, resolve)
        ipcRenderer.send(CONNECT, target)
      }),
  )
}

const shell = connectionTo('shell')
const server = connectionTo('server')
// The receiver validates what the page passes: it may not be a request.
const targetOf = (request: CallRequest | SubscribeRequest) =>
  String(request?.path).startsWith('shell.') ? shell : server

const bridge: Bridge = {
  call: (request) => targetOf(request).call(request),
  subscribe: (request, listener) => targetOf(request).subscribe(request, listener),
}

contextBridge.exposeInMainWorld('tidegate', bridge)
