import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A web server for downloads, as a pipeline uploads to. */
export class FileStore {
  readonly #files = new Map<string, Buffer>()
  readonly #server = createServer(({ url = '' }, response) => {
    const file = this.#files.get(url)
    response.writeHead(file === undefined ? 404 : 200).end(file)
  })

  async open(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  /** Stores a file, in place of one with the same path, and returns its URL. */
  upload(path: string, contents: Buffer): string {
    this.#files.set(path, contents)
    return this.urlOf(path)
  }

  urlOf(path: string): string {
    const { port } = this.#server.address() as AddressInfo
    return `http://127.0.0.1:${port}${path}`
  }
}
