import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that systems give to outgoing connections: one of those would take a port between the
 * moment when it was found free and the moment when the app listens on it. Above those that browsers refuse.
 */
const LOWEST = 20_000
const HIGHEST = 32_000

/** Finds a port that nobody listens on now. At random: other specs run beside this one. */
export async function freePort(): Promise<number> {
  const { port, release } = await takePort()
  await release()
  return port
}

/** Listens on a port until it is released: on a free one by default. */
export async function takePort(
  wanted?: number,
  host = '127.0.0.1',
): Promise<{ port: number; release(): Promise<void> }> {
  for (;;) {
    const port = wanted ?? randomInt(LOWEST, HIGHEST)
    const server = createServer().listen(port, host)
    const taken = await once(server, 'listening').then(
      () => false,
      (error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return true
        throw error
      },
    )
    if (taken) continue
    const release = () => new Promise<void>((done) => server.close(() => done()))
    return { port, release }
  }
}
