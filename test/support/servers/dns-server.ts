import { createSocket } from 'node:dgram'
import { onTestFinished } from 'vitest'

/** A real DNS server. */
export interface DnsServer {
  /** `127.0.0.1:<port>`, for a resolver. */
  readonly address: string
  /** Names that were asked for their IPv4 addresses, in order. */
  readonly asked: readonly string[]
}

const TYPE_A = 1

/**
 * Starts a DNS server (RFC 1035) on a free port: `answer` returns the IPv4 addresses of a name, null for one that does
 * not exist. It has no addresses of another kind. Stopped after the test.
 */
export async function startDnsServer(
  answer: (name: string) => readonly string[] | null,
): Promise<DnsServer> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query)
    if (type === TYPE_A) asked.push(name)
    const found = answer(name)
    const addresses = type === TYPE_A ? (found ?? []) : []
    socket.send(responseTo(query.subarray(0, end), addresses, found === null), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => void socket.close(resolve)))
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}

function questionOf(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** The query with its answers appended, which name it by a pointer, and live for no second. */
function responseTo(query: Buffer, addresses: readonly string[], isUnknown: boolean): Buffer {
  const head = Buffer.from(query)
  head.writeUInt16BE(isUnknown ? 0x81_83 : 0x81_80, 2)
  head.writeUInt16BE(addresses.length, 6)
  head.writeUInt32BE(0, 8)
  const answers = addresses.map((address) =>
    Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  )
  return Buffer.concat([head, ...answers])
}
