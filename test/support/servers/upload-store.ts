import { createServer, type ServerResponse } from 'node:http'
import { listenLocally } from './listen.ts'

/** A place that builds are uploaded to and devices download from, over real HTTP. */
export interface UploadStore {
  /** Ends with a slash. */
  readonly address: string
  /** What it has, by path without the first slash. */
  readonly files: Map<string, string | Buffer>
  /** How paths are answered that are not answered with their file. */
  readonly faults: Map<string, (response: ServerResponse) => void>
}

/** Starts a store on a free port: `PUT` stores, `GET` answers. It is stopped after the test. */
export async function startUploadStore(): Promise<UploadStore> {
  const files = new Map<string, string | Buffer>()
  const faults: UploadStore['faults'] = new Map()
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent((request.url ?? '').slice(1))
    if (request.method === 'PUT') {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      files.set(path, Buffer.concat(chunks))
      response.writeHead(201).end()
      return
    }
    const [fault, file] = [faults.get(path), files.get(path)]
    if (fault !== undefined) fault(response)
    else if (file === undefined) response.writeHead(404).end('not found')
    else response.end(file)
  })
  return { address: `http://${await listenLocally(server)}/`, files, faults }
}
