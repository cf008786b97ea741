import { createReadStream } from 'node:fs'
import { attachment } from '../file-addresses.ts'
import type { DownloadMethod } from '../file-store.ts'
import { bucketFailure, statusOf } from './bucket-failure.ts'
import { type LoadedSdk, SHORT } from './load-sdk.ts'

export interface ListedObject {
  readonly key: string
  readonly size: number
  /** Unix time in milliseconds. */
  readonly modifiedAt: number
}

/** An address that works for a while. */
export interface SignedAddress {
  readonly url: string
  /** Milliseconds. */
  readonly life: number
}

/** Milliseconds after which a file that was asked for, and an upload of parts, is old. */
export const DAY = 24 * 60 * 60_000

interface Abandoned {
  readonly prefix: string
  isOwn(key: string): boolean
  readonly before: number
}

const MIB = 1_024 ** 2
/** Bytes of a part of a large object, and of all parts in memory. S3 allows 10,000 parts. */
const PART = 8 * MIB
const IN_FLIGHT = 32 * MIB
const MAX_PARTS = 10_000
/** What a server answers that has no lists of unfinished uploads. */
const NOT_OFFERED: ReadonlySet<number | undefined> = new Set([400, 404, 405, 501])

/** A bucket of an S3-compatible server, by the official SDK. */
export class S3Bucket {
  readonly #bucket: string
  readonly #aws: LoadedSdk

  constructor(bucket: string, loaded: LoadedSdk) {
    this.#bucket = bucket
    this.#aws = loaded
  }

  /** Every object whose key begins with the prefix. Throws `bucket_unavailable`. */
  async *list(prefix: string, signal: AbortSignal): AsyncGenerator<ListedObject> {
    const Bucket = this.#bucket
    let token: string | undefined
    do {
      const command = new this.#aws.sdk.ListObjectsV2Command({
        ...{ Bucket, Prefix: prefix },
        ...(token === undefined ? {} : { ContinuationToken: token }),
      })
      const page = await this.#ask(() =>
        this.#aws.client.send(command, { abortSignal: signal, requestTimeout: SHORT }),
      )
      for (const { Key, Size = 0, LastModified } of page.Contents ?? []) {
        if (Key !== undefined)
          yield { key: Key, size: Size, modifiedAt: LastModified?.getTime() ?? 0 }
      }
      token = page.IsTruncated ? page.NextContinuationToken : undefined
    } while (token !== undefined)
  }

  /** Returns the bytes of an object; undefined if there is none. Throws `bucket_unavailable`. */
  async sizeOf(key: string): Promise<number | undefined> {
    const command = new this.#aws.sdk.HeadObjectCommand({ Bucket: this.#bucket, Key: key })
    return await this.#ask(async () => {
      try {
        const answer = await this.#aws.client.send(command, { requestTimeout: SHORT })
        return answer.ContentLength ?? 0
      } catch (error) {
        if (statusOf(error) === 404) return undefined
        throw error
      }
    })
  }

  /** Stores a file of the disk, a large one in parts, which are deleted if that fails. Throws `bucket_unavailable`. */
  async put(
    path: string,
    key: string,
    { name, size }: { readonly name: string; readonly size: number },
    signal: AbortSignal,
  ): Promise<void> {
    const partSize = Math.max(PART, Math.ceil(size / MAX_PARTS))
    const content = createReadStream(path, { highWaterMark: MIB })
    const abortController = new AbortController()
    const abort = () => abortController.abort()
    signal.addEventListener('abort', abort)
    try {
      await this.#ask(async () => {
        signal.throwIfAborted()
        const upload = new this.#aws.uploads.Upload({
          ...{ client: this.#aws.client, abortController, partSize },
          queueSize: Math.max(1, Math.floor(IN_FLIGHT / partSize)),
          params: {
            ...{ Bucket: this.#bucket, Key: key, Body: content },
            ContentType: 'application/octet-stream',
            ContentDisposition: attachment(name),
            CacheControl: 'public, max-age=31536000, immutable',
          },
        })
        await upload.done()
      })
    } finally {
      signal.removeEventListener('abort', abort)
      content.destroy()
    }
  }

  /** Reads an object, whose connection ends with it. Throws `bucket_unavailable`, also for an object that is not there. */
  async *read(key: string): AsyncGenerator<Uint8Array> {
    const command = new this.#aws.sdk.GetObjectCommand({ Bucket: this.#bucket, Key: key })
    try {
      const { Body } = await this.#aws.client.send(command)
      if (Body === undefined) throw new Error('an object without content')
      yield* Body as AsyncIterable<Uint8Array>
    } catch (error) {
      throw bucketFailure(this.#bucket, error)
    }
  }

  /** Deletes an object; does nothing if there is none. Throws `bucket_unavailable`. */
  async remove(key: string): Promise<void> {
    const command = new this.#aws.sdk.DeleteObjectCommand({ Bucket: this.#bucket, Key: key })
    await this.#ask(() => this.#aws.client.send(command, { requestTimeout: SHORT }))
  }

  /** Signs an object's address for that many seconds, or as long as the credentials are valid. Throws `bucket_unavailable`. */
  async sign(method: DownloadMethod, key: string, seconds: number): Promise<SignedAddress> {
    const place = { Bucket: this.#bucket, Key: key }
    return await this.#ask(async () => {
      const now = Date.now()
      const { expiration } = await this.#aws.client.config.credentials()
      const end = Math.min(now + seconds * 1_000, expiration?.getTime() ?? Infinity)
      const expiresIn = Math.max(1, Math.floor((end - now) / 1_000))
      const { getSignedUrl } = this.#aws.presigner
      const url =
        method === 'GET'
          ? await getSignedUrl(this.#aws.client, new this.#aws.sdk.GetObjectCommand(place), {
              expiresIn,
            })
          : await getSignedUrl(this.#aws.client, new this.#aws.sdk.HeadObjectCommand(place), {
              expiresIn,
            })
      return { url, life: expiresIn * 1_000 }
    })
  }

  /**
   * Deletes the parts of uploads that began before a time in Unix milliseconds and never ended, of keys that `isOwn` knows,
   * and of 1,000 uploads at most. A server that does not list them is left alone. Throws `bucket_unavailable`.
   */
  async abandonUploads({ prefix, isOwn, before }: Abandoned, signal: AbortSignal): Promise<void> {
    const Bucket = this.#bucket
    const options = { abortSignal: signal, requestTimeout: SHORT }
    await this.#ask(async () => {
      const command = new this.#aws.sdk.ListMultipartUploadsCommand({ Bucket, Prefix: prefix })
      const page = await this.#aws.client.send(command, options).catch((error: unknown) => {
        if (NOT_OFFERED.has(statusOf(error))) return undefined
        throw error
      })
      for (const { Key, UploadId, Initiated } of page?.Uploads ?? []) {
        const isOld = Initiated !== undefined && Initiated.getTime() < before
        if (!isOld || !isOwn(Key ?? '')) continue
        await this.#aws.client.send(
          new this.#aws.sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }),
          options,
        )
      }
    })
  }

  /** Closes the connections. */
  close(): void {
    this.#aws.client.destroy()
  }

  async #ask<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw bucketFailure(this.#bucket, error)
    }
  }
}
