import type { Server } from 'node:http'
import { Server as SecureServer } from 'node:https'
import type { Socket } from 'node:net'
import { STATUS_CODES } from '../../../shared/basics/node-http.ts'
import type { Reply, SentReply } from '../answer/reply.ts'
import type { ApiContext } from '../context.ts'
import { callerAddress } from '../request/address.ts'
import { checkFor, type DeviceChecks } from '../update-feeds/device-checks.ts'
import { type PlainHead, readPlainHead } from './plain-head.ts'

interface Options {
  readonly checks: DeviceChecks
  readonly context: ApiContext
  /** Milliseconds in which the first request must begin. */
  readonly headTime: number
}

/** The end of the head of the last answer of a connection. */
const LAST = 'Connection: close\r\n\r\n'

type Handler = (this: Server, socket: Socket) => void

interface Parts extends Options {
  readonly server: Server
  /** Node's. */
  readonly handler: Handler
  readonly open: Set<PlainConnection>
  /** The end of the heads of all others. */
  readonly keepAlive: string
}

/**
 * Answers plain requests of devices ahead of Node's HTTP, which costs more than everything else that an update check needs:
 * those that came as one complete request with nothing after it (`readPlainHead`). At the first bytes that are anything
 * else, the connection is Node's for good. The responses are byte for byte those that Node would write.
 *
 * Call it when the server has all other listeners for connections, and does not listen yet. `closeIdleConnections` ends
 * connections that wait for their next request here, too.
 */
export function answerPlainChecks(server: Server, options: Options): void {
  const event = server instanceof SecureServer ? 'secureConnection' : 'connection'
  const [handler] = server.listeners(event) as Handler[]
  if (handler === undefined) throw new Error(`Node does not handle ${event}`)
  server.off(event, handler)
  const open = new Set<PlainConnection>()
  const closeIdle = server.closeIdleConnections
  server.closeIdleConnections = () => {
    closeIdle.call(server)
    for (const connection of open) connection.closeIfIdle()
  }
  const seconds = Math.floor(server.keepAliveTimeout / 1_000)
  const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${seconds}\r\n\r\n`
  const parts = { ...options, server, handler, open, keepAlive }
  server.on(event, (socket: Socket) => {
    // Beyond the limit of connections.
    if (!socket.destroyed) new PlainConnection(socket, parts)
  })
}

/** A connection that nothing but plain requests of devices came on. */
class PlainConnection {
  readonly #socket: Socket
  readonly #parts: Parts
  #address: string | undefined
  /** Whether it waits for another request. */
  #isIdle = false
  #isNew = true
  #isAnswering = false
  #hasEnded = false
  readonly #listeners = {
    data: (bytes: Buffer) => this.#read(bytes),
    end: () => this.#end(),
    timeout: () => void this.#socket.destroy(),
    // 'close' follows.
    error: () => {},
    close: () => void this.#parts.open.delete(this),
  }

  constructor(socket: Socket, parts: Parts) {
    this.#socket = socket
    this.#parts = parts
    parts.open.add(this)
    socket.setTimeout(parts.headTime)
    for (const [event, listener] of Object.entries(this.#listeners)) socket.on(event, listener)
  }

  closeIfIdle(): void {
    if (this.#isIdle && this.#socket.writableLength === 0) this.#socket.destroy()
  }

  #read(bytes: Buffer): void {
    const { context, server, checks } = this.#parts
    const head = readPlainHead(bytes)
    const check = head && checkFor(checks, head.url)
    const isLogged = context.accessLog !== undefined || context.log.isLevelEnabled('debug')
    if (head === undefined || check === undefined || isLogged || !server.listening) {
      this.#handOver(bytes)
      return
    }
    if (this.#isNew) {
      this.#isNew = false
      this.#waitForRequest()
    }
    const { url, headers, isLast } = head
    const address = this.#addressOf(headers)
    const reply = check({ url, headers, address })
    if (!(reply instanceof Promise)) {
      this.#send(reply, isLast)
      return
    }
    this.#isIdle = false
    this.#isAnswering = true
    this.#hold()
    void reply.then((late) => {
      this.#isAnswering = false
      this.#goOn()
      this.#send(late, isLast || this.#hasEnded)
    })
  }

  /** Without a trusted proxy, all requests of a connection come from one address. */
  #addressOf(headers: PlainHead['headers']): string {
    const { context } = this.#parts
    if (context.trustProxy === null) {
      this.#address ??= callerAddress({ socket: this.#socket, headers }, context)
      return this.#address
    }
    return callerAddress({ socket: this.#socket, headers }, context)
  }

  /** Reads nothing until an answer is made or taken, which Node gives the same time. */
  #hold(): void {
    this.#socket.pause()
    this.#socket.setTimeout(this.#parts.server.timeout)
  }

  #goOn(): void {
    this.#socket.resume()
    this.#waitForRequest()
  }

  #waitForRequest(): void {
    const { keepAliveTimeout, keepAliveTimeoutBuffer } = this.#parts.server
    this.#socket.setTimeout(keepAliveTimeout + keepAliveTimeoutBuffer)
  }

  /** The caller sends nothing more. */
  #end(): void {
    this.#hasEnded = true
    if (!this.#isAnswering) this.#socket.end()
  }

  #send(reply: Reply, isLast: boolean): void {
    const socket = this.#socket
    // The caller has gone.
    if (!socket.writable) return
    const { body, sent } = reply
    const end = isLast ? LAST : this.#parts.keepAlive
    let isTaken: boolean
    if (sent !== undefined) isTaken = socket.write(bytesOf(reply, sent, end))
    else if (typeof body === 'object') {
      socket.cork()
      isTaken = socket.write(headOf(reply) + end, 'latin1')
      for (const part of body) isTaken = socket.write(part)
      socket.uncork()
    } else isTaken = socket.write(headOf(reply) + end + (body ?? ''))
    if (isLast) socket.destroySoon()
    else if (!isTaken) {
      // Answers that nobody takes do not pile up.
      this.#hold()
      socket.once('drain', () => this.#goOn())
    }
    this.#isIdle = true
  }

  /** From now on, Node reads the connection, beginning with these bytes. */
  #handOver(bytes: Buffer): void {
    const { server, handler, open } = this.#parts
    const socket = this.#socket
    open.delete(this)
    for (const [event, listener] of Object.entries(this.#listeners)) socket.off(event, listener)
    socket.setTimeout(0)
    socket.unshift(bytes)
    handler.call(server, socket)
  }
}

/** Returns a reply with a short text, or none, as it is sent now. */
function bytesOf(reply: Reply, sent: SentReply, end: string): Uint8Array {
  const second = Math.floor(Date.now() / 1_000)
  if (sent.second !== second || sent.end !== end) {
    sent.second = second
    sent.end = end
    sent.bytes = Buffer.from(headOf(reply) + end + (reply.body ?? ''))
  }
  return sent.bytes
}

/** Returns status line and fields of a response, without the line that ends them. */
function headOf({ status, headers }: Reply): string {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`
  return `${head}Date: ${dateNow()}\r\n`
}

let second = 0
let date = ''

/** The time as in `Date` (RFC 9110, section 5.6.7). */
function dateNow(): string {
  const now = Math.floor(Date.now() / 1_000)
  if (now !== second) {
    second = now
    date = new Date(now * 1_000).toUTCString()
  }
  return date
}
