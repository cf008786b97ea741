import type { Request, Response } from 'express'
import { Refusal } from '../../catalog/errors.ts'
import type { StoredFile } from '../../hosting/file-index.ts'
import type { BucketStore, FileStore } from '../../hosting/file-store.ts'
import { HttpError } from '../answer/errors.ts'
import type { ApiContext } from '../context.ts'
import { text } from '../strings.ts'

/** Seconds after which a download is tried again for which a bucket could not be used. */
const RETRY_AFTER = 30

/**
 * Waits until it is known what is stored, within seconds. Throws 503 if a bucket cannot be used; who downloads does not
 * hear why.
 */
export async function whenReady(stored: FileStore, { failures }: ApiContext): Promise<void> {
  await stored.ready().catch((error: unknown) => fail(error, failures))
}

/** Sends who downloads a file to its bucket, with an address that works for some hours. Asks the bucket for nothing. */
export async function redirectToBucket(
  stored: BucketStore,
  file: StoredFile,
  request: Request,
  response: Response,
  { failures }: ApiContext,
): Promise<void> {
  const method = request.method === 'HEAD' ? 'HEAD' : 'GET'
  const url = await stored.addressOf(file, method).catch((error: unknown) => fail(error, failures))
  response.status(302).set({ Location: url, 'Cache-Control': 'no-store' }).end()
}

function fail(error: unknown, failures: ApiContext['failures']): never {
  if (!(error instanceof Refusal)) throw error
  failures.error(error, 'could not use the bucket for a download')
  throw new HttpError(503, text.files.unavailable, { 'Retry-After': String(RETRY_AFTER) })
}
