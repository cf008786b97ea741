import { EventEmitter } from 'node:events'

/** `process.parentPort` of a utility process, over the channel that `fork` opens. */
class ParentPort extends EventEmitter {
  private readonly held: unknown[] = []

  constructor() {
    super()
    process.on('message', ({ message }: { message: unknown }) => {
      // Messages wait for the module that listens, as Electron lets them.
      if (this.listenerCount('message') === 0) this.held.push(message)
      else this.emit('message', { data: message, ports: [] })
    })
    this.on('newListener', (name) => {
      if (name !== 'message') return
      queueMicrotask(() => {
        for (const data of this.held.splice(0)) this.emit('message', { data, ports: [] })
      })
    })
  }

  postMessage(message: unknown): void {
    // Leaves later, as over Electron's port: what an exit overtakes is lost.
    setImmediate(() => process.send?.(message))
  }
}

Object.assign(process, { parentPort: new ParentPort(), type: 'utility' })
// A utility process does not outlive its app.
process.on('disconnect', () => process.exit(1))
