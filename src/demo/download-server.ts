import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { allFiles } from './artifact-files.ts'

export interface DownloadServer {
  /** Such as `http://127.0.0.1:41234`. */
  readonly address: string
  stop(): Promise<void>
}

/** Serves the files of the demo's releases on a free port of this computer, as a studio's storage would. */
export async function serveDownloads(): Promise<DownloadServer> {
  const files = allFiles()
  const server = createServer(({ method, url = '' }, response) => {
    const content = files.get(url)?.()
    if (content === undefined || (method !== 'GET' && method !== 'HEAD')) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, {
      'Content-Type': 'application/octet-stream',
      'Content-Length': content.length,
    })
    response.end(method === 'HEAD' ? undefined : content)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
