import type { ChildProcess } from 'node:child_process'
import type { MessagePortMain } from './message-port.ts'
import { PortRelay, Relayed } from './port-relay.ts'

/** Messages and ports between a process and a child that runs `parent-port.ts`. */
export class ChildChannel {
  private readonly child: ChildProcess
  private readonly ports: PortRelay

  constructor(child: ChildProcess, onMessage: (message: unknown) => void) {
    this.child = child
    this.ports = new PortRelay((relayed) => this.send({ relayed }))
    child.on('message', (received: { readonly message?: unknown; readonly relayed?: unknown }) => {
      if (received.relayed === undefined) onMessage(received.message)
      else this.ports.receive(Relayed.parse(received.relayed))
    })
    child.on('disconnect', () => this.ports.closeAll())
  }

  /** Transfers nothing to a child that has exited, like Electron. */
  post(message: unknown, transfer: readonly MessagePortMain[]): void {
    if (!this.child.connected) return
    const ports = transfer.map((port) => this.ports.take(port.release()))
    this.send({ message, ports })
  }

  private send(sent: object): void {
    if (this.child.connected) this.child.send(sent, () => {})
  }
}
