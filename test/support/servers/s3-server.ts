import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import S3rver, { type Context } from '@20minutes/s3rver'
import { onTestFinished, vi } from 'vitest'
import type { BucketPlace } from '../../../src/server/hosting/bucket/readings.ts'
import { temporaryFolder } from '../builders/folders.ts'

export const BUCKET = 'studio'
/** The one account that the server knows; it checks signatures. */
const KEY = 'S3RVER'

/** What a request asks for, such as `PUT part` or `GET list`; `PUT piece` for what has arrived of an upload that nodes share. */
export interface S3Request {
  readonly operation: string
  readonly path: string
}

/** Returned by a fault that lets a request pass. */
export const PASS = undefined
/** What a fault does to a request: an answer of that status, or a connection that is cut. */
type Fault = (
  request: S3Request,
) => Promise<number | 'cut' | undefined> | number | 'cut' | undefined

export interface S3Server {
  readonly endpoint: string
  /** Every request that has arrived. */
  readonly requests: S3Request[]
  /** Keys of the objects. */
  keys(): string[]
  /** Where the content of an object is on disk. */
  fileOf(key: string): string
  /** Keys of uploads in parts that have not ended. */
  unfinished(): string[]
  /** Begins one, as another program would. */
  beginUpload(key: string): void
  /** Is asked about every request. */
  fault: Fault
  stop(): Promise<void>
  /** On the same port. */
  restart(): Promise<void>
}

/** Credentials as the SDK finds them; in this process until the end of the test with `stubCredentials`. */
export function credentials(secret = KEY): Record<string, string> {
  return {
    AWS_ACCESS_KEY_ID: KEY,
    AWS_SECRET_ACCESS_KEY: secret,
    AWS_EC2_METADATA_DISABLED: 'true',
  }
}

/** Sets the credentials of this process until the end of the test. */
export function stubCredentials(secret?: string): void {
  for (const [name, value] of Object.entries(credentials(secret))) vi.stubEnv(name, value)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
}

/** The configuration of a server that keeps its files there. */
export function bucketPlace(
  { endpoint }: Pick<S3Server, 'endpoint'>,
  place: Partial<BucketPlace> = {},
) {
  return { bucket: BUCKET, prefix: '', endpoint, lookEvery: 600_000, lookAgain: 30_000, ...place }
}

/** Starts an S3-compatible server with an empty bucket on a free port. It is stopped after the test. */
export async function startS3(): Promise<S3Server> {
  const directory = temporaryFolder()
  const folder = join(directory, BUCKET)
  const parts = join(folder, '._S3rver_uploads')
  let running: S3rver | undefined
  const start = async (port: number) => {
    const server = new S3rver({
      ...{ address: '127.0.0.1', port, silent: true, directory, vhostBuckets: false },
      configureBuckets: [{ name: BUCKET }],
    })
    server.middleware.unshift(async (context, next) => {
      const request = { operation: operationOf(context), path: decodeURIComponent(context.path) }
      s3.requests.push(request)
      const fault = await s3.fault(request)
      if (fault === 'cut') context.req.socket.destroy()
      else if (fault !== undefined) context.status = fault
      else if (!answerUnfinished(context, request, parts)) await next()
    })
    // It checks the signature of a bucket's address without the slash at the end, which the SDK signs.
    server.middleware.splice(-1, 0, async (context, next) => {
      if (context.path === `/${BUCKET}/`) {
        context.state.vhost = true
        context.mountPath = '/'
      }
      await next()
    })
    const address = await server.run()
    running = server
    return address.port
  }
  const s3: S3Server = {
    endpoint: '',
    requests: [],
    keys: () =>
      objectsIn(folder)
        .map((file) => file.slice(folder.length + 1, -SUFFIX.length))
        .sort(),
    fileOf: (key) => join(folder, `${key}${SUFFIX}`),
    unfinished: () => (existsSync(parts) ? readdirSync(parts).map((id) => keyOf(parts, id)) : []),
    beginUpload: (key) => {
      mkdirSync(join(parts, 'other'), { recursive: true })
      writeFileSync(join(parts, 'other/key'), key)
    },
    fault: () => PASS,
    stop: async () => {
      // It closes its log before the last requests have ended.
      if (running !== undefined) running.logger.silent = true
      running?.httpServer.closeAllConnections()
      await running?.close()
      running = undefined
    },
    restart: async () => {
      await start(port)
    },
  }
  const port = await start(0)
  onTestFinished(() => s3.stop())
  return Object.assign(s3, { endpoint: `http://127.0.0.1:${port}` })
}

const SUFFIX = '._S3rver_object'

/** The key of an upload in parts. */
function keyOf(parts: string, id: string): string {
  return readFileSync(join(parts, id, 'key'), 'utf8')
}

/** Whether a key or path is that of a piece of an upload, which is there until the upload is complete. */
export function isPiece(key: string): boolean {
  return /(^|\/)uploads\/[0-9a-f]{32}-/.test(key)
}

function objectsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => file.endsWith(SUFFIX))
}

function operationOf({ method, path, query }: Context): string {
  if (isPiece(path)) return `${method} piece`
  if ('uploads' in query) return method === 'POST' ? 'POST parts' : 'GET uploads'
  if ('uploadId' in query) return method === 'PUT' ? 'PUT part' : `${method} parts`
  return path.split('/').length > 2 && path.split('/')[2] !== ''
    ? `${method} object`
    : `${method} list`
}

/** The server knows uploads in parts, but neither lists nor aborts them. Returns whether it has answered. */
function answerUnfinished(context: Context, { operation }: S3Request, parts: string): boolean {
  if (operation === 'DELETE parts') {
    rmSync(join(parts, context.query.uploadId ?? ''), { recursive: true, force: true })
    context.status = 204
    return true
  }
  if (operation !== 'GET uploads') return false
  const found = existsSync(parts) ? readdirSync(parts) : []
  const uploads = found.map((id) => {
    const key = keyOf(parts, id)
    const begun = statSync(join(parts, id, 'key')).mtime.toISOString()
    return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${begun}</Initiated></Upload>`
  })
  context.type = 'application/xml'
  context.body = `<ListMultipartUploadsResult>${uploads.join('')}</ListMultipartUploadsResult>`
  return true
}
