import { createHash } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { onTestFinished } from 'vitest'

/** A file that a test publishes, and how it was asked for. */
export interface ServedFile {
  readonly url: string
  readonly sha512: string
  readonly sha1: string
  readonly size: number
  /** The headers of each request for it. */
  readonly requests: readonly IncomingHttpHeaders[]
}

export interface FileServer {
  /** Serves a file; `published` is the content that the checksums are of, by default the same. */
  add(name: string, content: string, published?: string): ServedFile
}

/** Starts a server for the files of releases; stopped after the test. */
export async function startFileServer(): Promise<FileServer> {
  const files = new Map<string, { content: string; requests: IncomingHttpHeaders[] }>()
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    const file = files.get(path)
    file?.requests.push(request.headers)
    response.statusCode = file === undefined ? 404 : 200
    response.end(file?.content)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : ''
  return {
    add(name, content, published = content) {
      const requests: IncomingHttpHeaders[] = []
      files.set(`/${name}`, { content, requests })
      const hashed = (algorithm: string) => createHash(algorithm).update(published).digest('hex')
      const sums = { sha512: hashed('sha512'), sha1: hashed('sha1') }
      return { url: `http://127.0.0.1:${port}/${name}`, ...sums, size: published.length, requests }
    },
  }
}
