import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { addressKey } from '../../runtime/limits/address-key.ts'
import type { ApiContext } from '../context.ts'

/** Fraction of all connections that one address can have open. */
const SHARE = 1 / 10
/** Minimum number that an address can always have. */
const LEAST_SHARE = 10
/** Milliseconds between rounds of closing idle connections. */
const ROOM_INTERVAL = 1_000

/**
 * Limits the open connections, in total and per address. Connections beyond the limit are closed without
 * a response, and idle ones are closed to make room. Trusted proxies can use them all, because all
 * callers connect through them.
 */
export function limitConnections(
  server: Server,
  maxConnections: number,
  trustProxy: ApiContext['trustProxy'],
): void {
  const share = Math.max(LEAST_SHARE, Math.floor(maxConnections * SHARE))
  const open = new Map<string, number>()
  let roomMadeAt = Number.NEGATIVE_INFINITY

  server.maxConnections = maxConnections
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || trustProxy?.(remoteAddress, 0)) return
    const key = addressKey(remoteAddress)
    const count = open.get(key) ?? 0
    if (count >= share) {
      socket.destroy()
      return
    }
    open.set(key, count + 1)
    socket.once('close', () => release(key))
  })
  server.on('drop', () => {
    const now = performance.now()
    if (now - roomMadeAt < ROOM_INTERVAL) return
    roomMadeAt = now
    server.closeIdleConnections()
  })

  function release(key: string): void {
    const left = (open.get(key) ?? 1) - 1
    if (left === 0) open.delete(key)
    else open.set(key, left)
  }
}
