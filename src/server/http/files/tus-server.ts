import { type CancellationContext, MemoryLocker, Server, type ServerOptions } from '@tus/server'
import { MAX_FILE_BYTES } from '../../../shared/hosted-file.ts'
import { Refusal } from '../../catalog/errors.ts'
import { newUploadId, type Uploads } from '../../hosting/uploads.ts'
import type { Principal } from '../../use-cases/principal.ts'
import { toHttpError } from '../answer/errors.ts'
import type { FileRoutesParts } from './stored-files.ts'
import { OWNER, TusStore } from './tus-store.ts'

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

const lockers = new WeakMap<Uploads, MemoryLocker>()

/** One for all ways in: a person can go on in the console with what the command line began. */
function lockerOf(incoming: Uploads): MemoryLocker {
  const locker = lockers.get(incoming) ?? new MemoryLocker()
  lockers.set(incoming, locker)
  return locker
}
