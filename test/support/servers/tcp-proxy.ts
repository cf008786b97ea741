import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** A network between a test and a server on this computer that can fail. */
export interface TcpProxy {
  /** The URI of the server by way of the proxy. */
  readonly url: string
  /** Bytes that the server has sent so far. */
  readonly received: number
  /** Ends all connections, and each new one, until `restore`. */
  cut(): void
  /**
   * Ends the connection that sends that text next, before the server gets it or after the server has carried it out. Resolves
   * once that has happened; the client does not hear from the server again.
   */
  cutAt(text: string, when: 'before' | 'after', options?: CutOptions): Promise<void>
  /** Lets nothing through until `restore`, without ending any connection. */
  hang(): void
  /** Lets everything through that many milliseconds late, each way, until `restore`. */
  slow(milliseconds: number): void
  restore(): void
  /** Ends all connections; the next ones go to the server of another URI. */
  redirect(target: string): void
}

interface CutOptions {
  /** So many times, the text gets through. */
  readonly skipped?: number
  /** A text that the connection must have sent before. */
  readonly following?: string
}

interface Trap extends Pick<CutOptions, 'following'> {
  readonly text: string
  readonly when: 'before' | 'after'
  skipped: number
  /** The connection that has sent what the text has to follow. */
  followed?: readonly [Socket, Socket]
  sprung(): void
}

/** Starts a proxy to the server of a URI with host and port, until the test is over. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  let { hostname, port } = new URL(target)
  const pairs = new Set<readonly [Socket, Socket]>()
  let state: 'open' | 'cut' | 'hung' = 'open'
  let lateness = 0
  let received = 0
  let trap: Trap | undefined
  const forward = (from: Socket, to: Socket, isTrapped: (part: Buffer) => boolean) => {
    // One after the other: what is late does not overtake, nor is it overtaken.
    let sent: Promise<unknown> | undefined
    const send = (work: () => void) => {
      if (lateness === 0 && sent === undefined) {
        work()
        return
      }
      const due = delay(lateness)
      const last = Promise.all([sent, due]).then(work)
      sent = last
      void last.then(() => {
        if (sent === last) sent = undefined
      })
    }
    from.on('data', (part) => {
      if (!isTrapped(part)) send(() => to.write(part))
    })
    from.on('end', () => send(() => to.end()))
  }
  const server = createServer((incoming) => {
    if (state === 'cut') {
      incoming.destroy()
      return
    }
    const outgoing = connect(Number(port), hostname)
    const pair = [incoming, outgoing] as const
    pairs.add(pair)
    forward(incoming, outgoing, (part) => {
      if (trap === undefined) return false
      const { following = '' } = trap
      if (part.includes(following)) trap.followed ??= pair
      const isMeant = following === '' || trap.followed === pair
      if (!isMeant || !part.includes(trap.text) || trap.skipped-- > 0) return false
      const { when, sprung } = trap
      trap = undefined
      incoming.destroy()
      // The server closes the connection once it has carried out what came.
      outgoing.once('close', sprung)
      if (when === 'after') outgoing.end(part)
      else outgoing.destroy()
      return true
    })
    forward(outgoing, incoming, (part) => {
      received += part.length
      return false
    })
    const end = () => {
      pairs.delete(pair)
      for (const socket of pair) if (!socket.writableEnded) socket.destroy()
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
    get received() {
      return received
    },
    cut: () => {
      state = 'cut'
      cut()
    },
    cutAt: (text, when, { skipped = 0, following } = {}) =>
      new Promise((resolve) => {
        trap = { text, when, skipped, ...(following && { following }), sprung: resolve }
      }),
    hang: () => {
      state = 'hung'
      for (const pair of pairs) for (const socket of pair) socket.pause()
    },
    slow: (milliseconds) => {
      lateness = milliseconds
    },
    restore: () => {
      state = 'open'
      lateness = 0
      for (const pair of pairs) for (const socket of pair) socket.resume()
    },
    redirect: (other) => {
      const to = new URL(other)
      hostname = to.hostname
      port = to.port
      cut()
    },
  }
}
