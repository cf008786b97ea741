// Loaded ahead of every Node process of a packaging run: a socket that would leave the computer fails,
// and what it wanted is noted in the file that TIDEGATE_NETWORK_LOG names.
import { appendFileSync } from 'node:fs'
import { Socket } from 'node:net'

const log = process.env.TIDEGATE_NETWORK_LOG
const connect = Socket.prototype.connect

Socket.prototype.connect = function (...args) {
  const [first] = args.flat()
  const options = typeof first === 'object' && first !== null ? first : { port: first }
  // A pipe or a socket file stays on the computer.
  if (typeof options.path === 'string' || typeof first === 'string')
    return connect.apply(this, args)
  const target = `${options.host ?? 'localhost'}:${options.port}`
  if (log !== undefined) appendFileSync(log, `${target}\n`)
  throw new Error(`packaging wanted to reach ${target}`)
}
