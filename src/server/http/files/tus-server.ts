import type { Readable } from 'node:stream'
import {
  type CancellationContext,
  DataStore,
  ERRORS,
  MemoryLocker,
  Server,
  type ServerOptions,
  Upload as TusUpload,
} from '@tus/server'
import { MAX_FILE_BYTES } from '../../../shared/files/hosted-file.ts'
import { Refusal } from '../../catalog/errors.ts'
import { NewUpload, newUploadId, UPLOAD_LIFE, type Uploads } from '../../hosting/uploads/uploads.ts'
import { oncePer } from '../../runtime/once-per.ts'
import type { Principal } from '../../use-cases/principal.ts'
import { parseInput, toHttpError } from '../answer/errors.ts'
import { type FileRoutesParts, TUS_EXTENSIONS } from './stored-files.ts'

/** Member of the metadata that says who uploads. Set here, whatever the uploader sends. */
const OWNER = 'tidegate-owner'

/**
 * Uploads as the library of the protocol reads and writes them. It has no store of its own that hashes what arrives and
 * writes it to disk before that is acknowledged.
 */
class TusStore extends DataStore {
  readonly #incoming: Uploads

  constructor(incoming: Uploads) {
    super()
    this.#incoming = incoming
    this.extensions = [...TUS_EXTENSIONS]
  }

  override async create(upload: TusUpload): Promise<TusUpload> {
    const { id, size, metadata = {} } = upload
    const { filename: name, sha512 = null, [OWNER]: owner } = metadata
    if (typeof owner !== 'string') throw new Refusal({ code: 'unknown_file_upload' })
    await this.#incoming.create(id, owner, parseInput(NewUpload, { name, size, sha512 }))
    return upload
  }

  override async write(content: Readable, id: string, offset: number): Promise<number> {
    return await this.#incoming.append(id, offset, content)
  }

  override async getUpload(id: string): Promise<TusUpload> {
    const upload = await this.#incoming.find(id)
    if (upload === undefined) throw ERRORS.FILE_NOT_FOUND
    const { size, offset, name, sha512, touchedAt } = upload
    return new TusUpload({
      ...{ id, size, offset },
      metadata: { filename: name, ...(sha512 === null ? {} : { sha512 }) },
      // Uploads expire a while after the last byte, not after the first.
      creation_date: new Date(touchedAt).toISOString(),
    })
  }

  override getExpiration(): number {
    return UPLOAD_LIFE
  }
}

type TusRequest = Parameters<Required<ServerOptions>['onUploadCreate']>[0]
type Parts = Pick<FileRoutesParts, 'updates' | 'failures'>

const ID = /^[0-9a-f]{32}$/

interface Uploader {
  readonly principal: Principal
  readonly owner: string
}

/** The library's server, with who uploads, and with errors in the form of the API. */
export class TusServer extends Server {
  readonly callers = new WeakMap<object, Uploader>()

  constructor({ updates, failures }: Parts, incoming: Uploads) {
    const callerOf = (request: TusRequest): Uploader => {
      const { req } = request.runtime?.node ?? {}
      const caller = req && this.callers.get(req)
      if (caller === undefined) throw new Error('an upload came without its caller')
      return caller
    }
    const requireOwn = async (request: TusRequest, id: string) => {
      const upload = await incoming.find(id)
      if (upload?.owner === callerOf(request).owner) return upload
      throw new Refusal({ code: 'unknown_file_upload' })
    }
    super({
      path: '/uploads',
      datastore: new TusStore(incoming),
      locker: lockerOf(incoming),
      maxSize: MAX_FILE_BYTES,
      allowedOrigins: () => false,
      namingFunction: () => newUploadId(),
      // Relative, so that it is right behind every proxy and under every mount.
      generateUrl: (_request, { id }) => `./uploads/${id}`,
      getFileIdFromRequest: (_request, last) => (last && ID.test(last) ? last : undefined),
      onUploadCreate: async (request, { metadata }) => ({
        metadata: { ...metadata, [OWNER]: callerOf(request).owner },
      }),
      onIncomingRequest: async (request, id) => {
        if (request.method === 'POST') return
        const { offset, size } = await requireOwn(request, id)
        // All of it had arrived when the server stopped.
        if (request.method === 'HEAD' && offset === size) {
          await updates.finishUpload(callerOf(request).principal, id)
        }
      },
      onUploadFinish: async (request, { id }) => {
        const file = await updates.finishUpload(callerOf(request).principal, id)
        const headers = { 'Content-Type': 'application/json; charset=utf-8' }
        return { status_code: 200, headers, body: JSON.stringify({ file }) }
      },
      onResponseError: (_request, error) => {
        // The library's own errors are a status and a sentence.
        if (!(error instanceof Error)) return { ...error, body: error.body.trim() }
        const { status, message } = toHttpError(error)
        if (status >= 500) failures.error(error, 'upload failed')
        return { status_code: status, body: message }
      },
    })
  }

  override write(
    context: CancellationContext,
    headers: Headers,
    status: number,
    body = '',
  ): ReturnType<Server['write']> {
    if (status < 400) return super.write(context, headers, status, body)
    headers.set('Content-Type', 'application/json; charset=utf-8')
    return super.write(context, headers, status, JSON.stringify({ error: body.trim() }))
  }
}

/** One for all ways in: a person can go on in the console with what the command line began. */
const lockerOf = oncePer((_: Uploads) => new MemoryLocker())
