import { connect, type Socket } from 'node:net'

export interface WireAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** A connection to the server, open. */
export async function openSocket(address: string): Promise<Socket> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return socket
}

/** Sends bytes as they are to the server, and reads until it closes the connection. */
export async function exchange(address: string, bytes: string | Buffer): Promise<WireAnswer> {
  const socket = await openSocket(address)
  socket.write(bytes)
  return readAnswer(await readToEnd(socket))
}

/** All that the server sends until it closes the connection. */
export async function readToEnd(socket: Socket): Promise<string> {
  let received = ''
  for await (const chunk of socket.setEncoding('utf8')) received += chunk
  return received
}

/** Reads what was received as one answer. */
export function readAnswer(received: string): WireAnswer {
  const [head = '', ...rest] = received.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = new Headers(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    }),
  )
  return { status: Number(first.split(' ')[1]), headers, text: rest.join('\r\n\r\n') }
}
