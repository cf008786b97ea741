import { createReadStream } from 'node:fs'
import type { Agent, IncomingMessage } from 'node:http'
import { request as requestSecure } from 'node:https'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { ConnectionError } from '../../../remote/connection-error.ts'
import { request as requestPlain } from '../../../shared/basics/node-http.ts'
import { parsedJson } from '../../../shared/basics/parsed-json.ts'
import {
  FoundFileAnswer,
  type HostedFile,
  HostedFileAnswer,
  HostedFilesAnswer,
  UploadsAnswer,
} from '../../../shared/files/hosted-file.ts'
import type { BuiltFile } from '../publish/built-file.ts'
import { ApiError, errorOf } from '../server/remote-errors.ts'

/** Bytes in one request: what is sent again at most, and what proxies must let through. */
const PIECE = 64 * 1_024 ** 2
/** Milliseconds in which something must cross the wire. */
const SILENCE = 60_000
/** Milliseconds between two looks at a file that the server copies to a bucket. */
const LOOK = 1_000
/** Attempts in a row that make no progress, and milliseconds before the first of them is made again. */
const ATTEMPTS = 5
const PAUSE = 500

export interface FileClientParts {
  /** Of the routes `files` and `uploads`, such as `https://studio.example/api/v1`. */
  readonly base: string
  readonly agent: Agent | undefined
  /** Say who calls. */
  readonly headers: Readonly<Record<string, string>>
}

/** A file that is on the server now, and whether it was not before. */
export interface Uploaded {
  readonly file: HostedFile
  readonly sent: boolean
}

interface Sent {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** The files that a server stores. */
export class FileClient {
  readonly #parts: FileClientParts

  constructor(parts: FileClientParts) {
    this.#parts = parts
  }

  async list(): Promise<HostedFilesAnswer> {
    return HostedFilesAnswer.parse(await this.#ask('GET', '/files'))
  }

  async listUploads(): Promise<UploadsAnswer> {
    return UploadsAnswer.parse(await this.#ask('GET', '/uploads'))
  }

  async removeUpload(id: string): Promise<void> {
    await this.#ask('DELETE', `/uploads/${id}`)
  }

  /** `sha512`: in lower-case hex, here and below. */
  async find(sha512: string): Promise<FoundFileAnswer> {
    return FoundFileAnswer.parse(await this.#ask('GET', `/files/${sha512}`))
  }

  async remove(sha512: string): Promise<HostedFile> {
    return HostedFileAnswer.parse(await this.#ask('DELETE', `/files/${sha512}`)).file
  }

  /** Uploads a file by the tus protocol unless the server has it, and goes on after interruptions and broken connections. */
  async upload(built: BuiltFile): Promise<Uploaded> {
    let attempt = 0
    let reached = -1
    for (;;) {
      try {
        const { file, upload } = await this.find(built.sha512)
        if (file !== null) return { file, sent: reached >= 0 }
        const { id, offset } = upload ?? { id: await this.#begin(built), offset: 0 }
        if (offset > reached) attempt = 0
        reached = offset
        if (offset === built.size) {
          // The server ends that with the file, or with an error.
          await delay(LOOK)
          continue
        }
        await this.#sendPiece(
          `/uploads/${id}`,
          built.path,
          offset,
          Math.min(PIECE, built.size - offset),
        )
      } catch (error) {
        attempt += 1
        if (attempt >= ATTEMPTS || !isPassing(error)) throw error
        await delay(PAUSE * 2 ** attempt)
      }
    }
  }

  async #begin({ name, size, sha512 }: BuiltFile): Promise<string> {
    const metadata = { filename: name, sha512 }
    const encoded = Object.entries(metadata).map(
      ([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`,
    )
    const { headers } = await this.#send('POST', '/uploads', {
      'Upload-Length': String(size),
      'Upload-Metadata': encoded.join(','),
    })
    const id = /[0-9a-f]{32}$/.exec(headers.location ?? '')?.[0]
    if (id === undefined) throw new ConnectionError('not_tidegate')
    return id
  }

  async #sendPiece(route: string, path: string, start: number, length: number): Promise<void> {
    const headers = {
      'Upload-Offset': String(start),
      'Content-Type': 'application/offset+octet-stream',
      'Content-Length': String(length),
    }
    await this.#send('PATCH', route, headers, { path, start, end: start + length - 1 })
  }

  async #ask(method: string, route: string): Promise<unknown> {
    const { body } = await this.#send(method, route, {})
    return parsedJson(body)
  }

  /** Throws `ApiError` for an error answer, and `ConnectionError`. */
  async #send(
    method: string,
    route: string,
    fields: Readonly<Record<string, string>>,
    part?: { readonly path: string; readonly start: number; readonly end: number },
  ): Promise<Sent> {
    const { base, agent, headers } = this.#parts
    const send = base.startsWith('http:') ? requestPlain : requestSecure
    const answer = await new Promise<Sent>((resolve, reject) => {
      const fail = (error: unknown) => reject(ConnectionError.of(error))
      const sent = send(`${base}${route}`, {
        ...{ method, agent, timeout: SILENCE },
        headers: { ...headers, 'Tus-Resumable': '1.0.0', ...fields },
      })
      sent.once('timeout', () => sent.destroy(new ConnectionError('timed_out')))
      sent.on('error', fail)
      sent.once('response', (response) => {
        const { statusCode: status = 0 } = response
        readText(response).then(
          (body) => resolve({ status, headers: response.headers, body }),
          fail,
        )
      })
      if (part === undefined) {
        sent.end()
        return
      }
      const { path, ...range } = part
      const content = createReadStream(path, range)
      content.once('error', (error) => {
        reject(error)
        sent.destroy()
      })
      sent.once('close', () => content.destroy())
      content.pipe(sent)
    })
    if (answer.status < 400) return answer
    const error = errorOf(parsedJson(answer.body))
    if (error === undefined) throw new ConnectionError('not_tidegate', String(answer.status))
    throw new ApiError(answer.status, error)
  }
}

/** A connection that broke, a server that restarts, or an earlier request that has not ended yet. */
function isPassing(error: unknown): boolean {
  if (error instanceof ApiError)
    return error.status >= 500 || [409, 423, 429].includes(error.status)
  return error instanceof ConnectionError && error.failure.reason !== 'certificate'
}
