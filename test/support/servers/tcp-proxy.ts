import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A network between a test and a server on this computer that can fail. */
export interface TcpProxy {
  /** The URI of the server by way of the proxy. */
  readonly url: string
  /** Ends all connections, and each new one, until `restore`. */
  cut(): void
  /** Lets nothing through until `restore`, without ending any connection. */
  hang(): void
  restore(): void
}

/** Starts a proxy to the server of a URI with host and port, until the test is over. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target)
  const pairs = new Set<readonly [Socket, Socket]>()
  let state: 'open' | 'cut' | 'hung' = 'open'
  const server = createServer((incoming) => {
    if (state === 'cut') {
      incoming.destroy()
      return
    }
    const outgoing = connect(Number(port), hostname)
    const pair = [incoming, outgoing] as const
    pairs.add(pair)
    forward(incoming, outgoing)
    forward(outgoing, incoming)
    const end = () => {
      pairs.delete(pair)
      for (const socket of pair) socket.destroy()
    }
    for (const socket of pair) socket.on('error', end).on('close', end)
    if (state === 'hung') for (const socket of pair) socket.pause()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  const url = new URL(target)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  url.hostname = '127.0.0.1'
  url.port = String(address.port)
  return {
    url: url.href,
    cut: () => {
      state = 'cut'
      cut()
    },
    hang: () => {
      state = 'hung'
      for (const pair of pairs) for (const socket of pair) socket.pause()
    },
    restore: () => {
      state = 'open'
      for (const pair of pairs) for (const socket of pair) socket.resume()
    },
  }
}

function forward(from: Socket, to: Socket): void {
  from.on('data', (part) => to.write(part))
  from.on('end', () => to.end())
}
