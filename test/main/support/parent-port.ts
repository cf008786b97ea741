import { EventEmitter } from 'node:events'

/** Gives a forked process of Node the `process.parentPort` of a utility process of Electron. */
const port = Object.assign(new EventEmitter(), {
  postMessage: (message: unknown) => process.send?.(message),
})
Object.assign(process, { parentPort: port })
process.on('message', (data) => port.emit('message', { data }))
process.on('disconnect', () => process.exit(1))
