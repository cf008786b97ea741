import { connect } from 'node:net'

export interface WireAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Sends bytes as they are to the server, and reads until it closes the connection. */
export async function exchange(address: string, bytes: string): Promise<WireAnswer> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  socket.write(bytes)
  let received = ''
  for await (const chunk of socket.setEncoding('utf8')) received += chunk
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
