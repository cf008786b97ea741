import { bucketFailure } from './bucket-failure.ts'
import { type BucketSettings, loadSdk } from './load-sdk.ts'
import { S3Bucket } from './s3-bucket.ts'

/** A bucket whose SDK is loaded when it is first needed, and again after that has failed. */
export class LazyBucket {
  readonly #settings: BucketSettings
  #loading: Promise<S3Bucket> | undefined

  constructor(settings: BucketSettings) {
    this.#settings = settings
  }

  /** Throws `bucket_unavailable`. */
  async s3(): Promise<S3Bucket> {
    const { bucket } = this.#settings
    this.#loading ??= loadSdk(this.#settings).then((loaded) => new S3Bucket(bucket, loaded))
    try {
      return await this.#loading
    } catch (error) {
      this.#loading = undefined
      throw bucketFailure(bucket, error)
    }
  }

  /** Closes the connections. */
  async close(): Promise<void> {
    const s3 = await this.#loading?.catch(() => undefined)
    s3?.close()
  }
}
