import { EventEmitter } from 'node:events'

// Gives a forked Node process the `process.parentPort` of Electron's utility process. It starts to
// listen with the first listener: Node keeps what arrives before.

class ParentPort extends EventEmitter {
  constructor() {
    super()
    this.once('newListener', () => {
      process.on('message', (data) => this.emit('message', { data }))
    })
  }

  postMessage(message: unknown): void {
    process.send?.(message)
  }
}

Object.defineProperty(process, 'parentPort', { value: new ParentPort() })
