import { EventEmitter } from 'node:events'

/** Milliseconds that a message takes, as over Electron's port, which drops what an exit overtakes. */
const delay = Number(process.env.HOST_POST_DELAY ?? 0)

const send = (message: unknown) => process.send?.(message)

/** Gives a forked process of Node the `process.parentPort` of a utility process of Electron. */
const port = Object.assign(new EventEmitter(), {
  postMessage: (message: unknown) =>
    delay === 0 ? send(message) : setTimeout(() => send(message), delay),
})
Object.assign(process, { parentPort: port })
process.on('message', (data) => port.emit('message', { data }))
process.on('disconnect', () => process.exit(1))
// A failure of a kind that a test cannot cause by what it asks of the server.
process.on('SIGUSR2', () => void Promise.reject(new Error('nobody handles this')))
