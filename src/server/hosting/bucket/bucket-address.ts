export interface BucketAddress {
  readonly bucket: string
  /** Empty, or with a slash at its end. */
  readonly prefix: string
}

/** Names as S3 allows them for new buckets. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
/** Characters that every S3-compatible server stores unchanged; segments that its file system can name. */
const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,200}$/
/** Characters of a prefix: with the rest of a key, it fits into the 1,024 bytes that a key can have. */
const MAX_PREFIX = 512

/** Returns whether the text begins as the address of a bucket does. */
export function isBucketAddress(text: string): boolean {
  return /^s3:/i.test(text)
}

/** Reads `s3://BUCKET` or `s3://BUCKET/PREFIX`; undefined for anything else. */
export function readBucketAddress(text: string): BucketAddress | undefined {
  const [, bucket = '', path = ''] = /^s3:\/\/([^/]*)(?:\/(.*))?$/i.exec(text) ?? []
  const prefix = path.replace(/\/+$/, '')
  const isNamed = prefix === '' || prefix.split('/').every((segment) => SEGMENT.test(segment))
  if (!BUCKET.test(bucket) || !isNamed || prefix.length > MAX_PREFIX) return undefined
  return { bucket, prefix: prefix === '' ? '' : `${prefix}/` }
}
