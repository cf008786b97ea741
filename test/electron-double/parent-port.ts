import { EventEmitter } from 'node:events'
import { MessagePortMain } from './message-port.ts'
import { PortRelay, type Relayed } from './port-relay.ts'

type Received =
  | { readonly message: unknown; readonly ports: readonly number[]; readonly relayed?: undefined }
  | { readonly relayed: Relayed }

// Sent later, as by Electron's ports: messages that an exit overtakes are lost.
const send = (sent: object) => void setImmediate(() => process.send?.(sent))

/** `process.parentPort` of a utility process, over the channel that `fork` opens. */
class ParentPort extends EventEmitter {
  private readonly ports = new PortRelay((relayed) => send({ relayed }))
  private readonly held: { readonly data: unknown; readonly ports: readonly MessagePortMain[] }[] =
    []

  constructor() {
    super()
    process.on('message', (received: Received) => {
      if (received.relayed !== undefined) {
        this.ports.receive(received.relayed)
        return
      }
      const ports = received.ports.map((id) => new MessagePortMain(this.ports.accept(id)))
      const event = { data: received.message, ports }
      // Messages wait for the module that listens, as in Electron.
      if (this.listenerCount('message') === 0) this.held.push(event)
      else this.emit('message', event)
    })
    this.on('newListener', (name) => {
      if (name !== 'message') return
      queueMicrotask(() => {
        for (const event of this.held.splice(0)) this.emit('message', event)
      })
    })
  }

  postMessage(message: unknown): void {
    send({ message })
  }
}

Object.assign(process, { parentPort: new ParentPort(), type: 'utility' })
// A utility process exits with its app.
process.on('disconnect', () => process.exit(1))
