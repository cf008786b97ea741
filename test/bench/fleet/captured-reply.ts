import { connect } from 'node:net'
import { parseReplyHead } from '../load/reply-head.ts'

/** A reply as arguments of node:http's `writeHead` and `end`. */
export interface BareReply {
  readonly status: number
  /** Without those that node:http writes by itself. */
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: string
  /** Whether the reply has a Date header. */
  readonly date: boolean
  /** The timeout in its Keep-Alive header, in milliseconds; 0 without one. */
  readonly keepAliveMs: number
}

const CAPTURE_BOUND_MS = 10_000
const WRITTEN_BY_NODE = new Set(['date', 'connection', 'keep-alive'])

/** Sends one request and returns the bytes of the reply. */
export function rawReply(port: number, request: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.setTimeout(CAPTURE_BOUND_MS, () => socket.destroy(new Error('no reply in time')))
    let received: Buffer = Buffer.alloc(0)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('closed before the reply was complete')))
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      const head = parseReplyHead(received, received.length)
      if (head === undefined || received.length < head.headBytes + head.bodyBytes) return
      resolve(received)
      socket.destroy()
    })
  })
}

/** Parses a reply, so that a bare server can send the same. */
export function bareReply(raw: Buffer): BareReply {
  const text = raw.toString('utf8')
  const headEnd = text.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = text.slice(0, headEnd).split('\r\n')
  const fields = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()] as const
  })
  const named = new Map(fields.map(([name, value]) => [name.toLowerCase(), value]))
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: headersOf(fields),
    body: text.slice(headEnd + 4),
    date: named.has('date'),
    keepAliveMs: Number(/timeout=(\d+)/.exec(named.get('keep-alive') ?? '')?.[1] ?? 0) * 1000,
  }
}

function headersOf(fields: readonly (readonly [string, string])[]) {
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of fields) {
    if (WRITTEN_BY_NODE.has(name.toLowerCase())) continue
    const before = headers[name]
    headers[name] = before === undefined ? value : [before, value].flat()
  }
  return headers
}

/** Returns a reply as text without the value of its Date: equal for two servers that reply alike. */
export function withoutDate(raw: Buffer): string {
  return raw.toString('utf8').replace(/^(date:).*$/im, '$1')
}
