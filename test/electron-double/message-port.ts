import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { StandIn } from './stand-in.ts'

/** Electron's end of a channel, on top of a port of Node. Listeners receive nothing before `start`. */
export class MessagePortMain extends StandIn {
  private port: MessagePort | undefined
  private started = false

  constructor(port: MessagePort) {
    super()
    this.port = port
    port.on('close', () => {
      if (this.port === undefined) return
      this.port = undefined
      this.emit('close')
    })
  }

  start(): void {
    if (this.started) return
    this.started = true
    this.port?.on('message', (data) => this.emit('message', { data, ports: [] }))
  }

  postMessage(message: unknown, transfer: readonly MessagePortMain[] = []): void {
    if (transfer.length > 0) throw new Error('The Electron double transfers no port over a port')
    this.port?.postMessage(message)
  }

  /** Has no effect on a port that was transferred. */
  close(): void {
    this.port?.close()
  }

  /** Not Electron's: detaches the port, as a transfer does. */
  release(): MessagePort {
    const { port } = this
    if (port === undefined) throw new Error('Port at index 0 is already neutered.')
    this.port = undefined
    return port
  }
}

export class MessageChannelMain extends StandIn {
  readonly port1: MessagePortMain
  readonly port2: MessagePortMain

  constructor() {
    super()
    const { port1, port2 } = new MessageChannel()
    this.port1 = new MessagePortMain(port1)
    this.port2 = new MessagePortMain(port2)
  }
}
