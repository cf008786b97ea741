import type { S3Client } from '@aws-sdk/client-s3'

/** Which bucket, and where. Credentials come from the environment, or from the files and services that the SDK knows. */
export interface BucketSettings {
  readonly bucket: string
  /** Undefined: AWS. */
  readonly endpoint?: string | undefined
  readonly region?: string | undefined
}

/** What a server without a bucket need not load. */
export interface LoadedSdk {
  readonly sdk: typeof import('@aws-sdk/client-s3')
  readonly uploads: typeof import('@aws-sdk/lib-storage')
  readonly presigner: typeof import('@aws-sdk/s3-request-presigner')
  readonly client: S3Client
}

/** Milliseconds for a short request with its answer. */
export const SHORT = 20_000
/** The same to connect, without a byte, and for a part of a file. */
const TIMEOUTS = { connect: 10_000, silence: 30_000, part: 300_000 }
/** How often a request is made until it succeeds. */
const ATTEMPTS = 3
/** What most servers other than AWS expect in signatures. */
const ANY_REGION = 'us-east-1'

/** Loads the SDK, which asks for nothing yet. */
export async function loadSdk({ endpoint, region }: BucketSettings): Promise<LoadedSdk> {
  const [sdk, uploads, presigner] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/lib-storage'),
    import('@aws-sdk/s3-request-presigner'),
  ])
  const anywhere = endpoint === undefined ? undefined : (process.env.AWS_REGION ?? ANY_REGION)
  const signedFor = region ?? anywhere
  const client = new sdk.S3Client({
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(signedFor === undefined ? {} : { region: signedFor }),
    maxAttempts: ATTEMPTS,
    // Servers other than AWS know no checksums. The signature covers the SHA-256 of each part.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: TIMEOUTS.connect,
      socketTimeout: TIMEOUTS.silence,
      requestTimeout: TIMEOUTS.part,
      throwOnRequestTimeout: true,
    },
  })
  return { sdk, uploads, presigner, client }
}
