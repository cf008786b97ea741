import { once } from 'node:events'
import type { Server } from 'node:net'
import { onTestFinished } from 'vitest'

/** Lets a server listen on a free port of a local address until the test ends. Returns `<address>:<port>`. */
export async function listenLocally(
  server: Server & { closeAllConnections?(): void },
  address = '127.0.0.1',
): Promise<string> {
  await once(server.listen(0, address), 'listening')
  onTestFinished(async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections?.()
    await closed
  })
  const listening = server.address()
  if (listening === null || typeof listening === 'string') throw new Error('no port')
  return `${address}:${listening.port}`
}
