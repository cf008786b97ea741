import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { z } from 'zod'

/** A message between the two sides of a relayed port. */
export const Relayed = z.object({ port: z.number(), data: z.unknown(), closed: z.boolean() })
export type Relayed = z.infer<typeof Relayed>

let lastId = 0

/** Carries ports over a channel between processes that takes plain messages in order. */
export class PortRelay {
  private readonly ports = new Map<number, MessagePort>()
  private readonly send: (relayed: Relayed) => void

  constructor(send: PortRelay['send']) {
    this.send = send
  }

  /** Forwards messages of `port` to the other side, where the returned number identifies it. */
  take(port: MessagePort): number {
    lastId += 1
    this.follow(lastId, port)
    return lastId
  }

  /** Creates this side's end of a port that the other side relays. */
  accept(id: number): MessagePort {
    const { port1, port2 } = new MessageChannel()
    this.follow(id, port2)
    return port1
  }

  receive({ port: id, data, closed }: Relayed): void {
    const port = this.ports.get(id)
    if (!closed) {
      port?.postMessage(data)
      return
    }
    this.ports.delete(id)
    port?.close()
  }

  /** Called when the other side is gone. */
  closeAll(): void {
    const ports = [...this.ports.values()]
    this.ports.clear()
    for (const port of ports) port.close()
  }

  private follow(id: number, port: MessagePort): void {
    this.ports.set(id, port)
    port.on('message', (data) => this.send({ port: id, data, closed: false }))
    port.on('close', () => {
      if (this.ports.delete(id)) this.send({ port: id, data: undefined, closed: true })
    })
  }
}
