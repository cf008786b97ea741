import '../../electron-double/parent-port.ts'

/** Milliseconds that a message takes, as over Electron's port, which drops what an exit overtakes. */
const delay = Number(process.env.SERVER_POST_DELAY ?? 0)

const port = process.parentPort
const post = port.postMessage.bind(port)
if (delay > 0) port.postMessage = (message) => void setTimeout(() => post(message), delay)
// A failure of a kind that a test cannot cause by what it asks of the server.
process.on('SIGUSR2', () => void Promise.reject(new Error('nobody handles this')))
