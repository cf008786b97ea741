import type { Agent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Duplex } from 'node:stream'
import { Agent as HttpAgent } from '../shared/node-http.ts'
import { type Endpoint, openSocket } from './trusted-socket.ts'

/** Connections that are open at once. */
const MAX_SOCKETS = 6

type Opened = (error: Error | null, socket: Duplex) => void

/** Creates an agent whose requests go to one server alone, over connections whose certificate was accepted. */
export function trustedAgent(endpoint: Endpoint): Agent {
  const options = { keepAlive: true, maxSockets: MAX_SOCKETS }
  const agent = endpoint.url.startsWith('http:') ? new HttpAgent(options) : new HttpsAgent(options)
  agent.createConnection = (_options, opened: Opened = () => {}) => {
    openSocket(endpoint).then(
      (socket) => opened(null, socket),
      // Together with an error, nobody looks at a socket.
      (error: unknown) => Reflect.apply(opened, undefined, [error]),
    )
    return undefined
  }
  return agent
}
