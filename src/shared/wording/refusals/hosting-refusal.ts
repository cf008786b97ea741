import { at, type Sentences } from '../../coded.ts'
import type { BucketTrouble, FileUse, HostingRefusal } from '../../files/hosted-file.ts'
import { formatCount, formatSize } from '../format.ts'

/** The messages of the refusals about stored files, as `refusalSentence` returns them. */
export const HOSTING_SENTENCES: Sentences<HostingRefusal> = {
  hosting_off: () =>
    'this server does not store files; turn that on in its settings (--artifacts and --public-url)',
  hosting_full: (facts) => {
    const missing = formatSize(facts.missingBytes)
    return facts.limit === 'quota'
      ? `the quota for stored files is ${missing} too small; delete files or raise the quota`
      : `the disk for stored files is ${missing} too small; free some space`
  },
  too_many_uploads: ({ maximum }) =>
    `${formatCount(maximum)} uploads are in progress, the maximum; try again later`,
  unknown_file_upload: () => 'unknown upload; it is complete, was deleted or has expired',
  upload_busy: () =>
    'the file is being uploaded from somewhere else; try again when that has ended',
  upload_differs: ({ name, announced, found }) =>
    `${name} does not have the announced SHA-512; upload it again (announced ${announced}, received ${found})`,
  unknown_file: ({ file }) => `unknown file "${file}"`,
  file_not_stored: ({ path }) => at(path, 'this server does not store this file; upload it first'),
  file_in_use: ({ name, use }) => `${name} is used by ${userOf(use)}`,
  file_being_stored: ({ name }) =>
    `${name} has arrived and is being copied to the bucket; ask again in a few seconds`,
  bucket_unavailable: (facts) => {
    const detail = facts.detail === '' ? '' : ` (${facts.detail})`
    const [problem, fix] = BUCKET_TROUBLES[facts.trouble]
    return `the bucket ${facts.bucket} cannot be used: ${problem}${detail}; ${fix}`
  },
}

/** What is wrong with a bucket, and what to do. */
const BUCKET_TROUBLES: Readonly<Record<BucketTrouble, readonly [string, string]>> = {
  unreachable: [
    'its server does not respond',
    'check --s3-endpoint and the network, then try again',
  ],
  certificate: [
    'the certificate of its server is not trusted',
    'name the file of its certificate authority in NODE_EXTRA_CA_CERTS',
  ],
  failing: ['its server failed', 'try again later'],
  rejected: ['its server rejected a request', 'check that it is compatible with S3'],
  no_credentials: [
    'no credentials were found',
    'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or create a credentials file',
  ],
  credentials_rejected: [
    'its server rejected the credentials',
    'check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the credentials file',
  ],
  access_denied: [
    'access is denied',
    'allow the access key to list the bucket, and to read, write and delete its objects',
  ],
  no_bucket: ['it does not exist', 'create it, or check --artifacts'],
  no_region: ['its region is unknown', 'set --s3-region'],
  wrong_region: ['it is in another region', 'set --s3-region'],
  clock_differs: [
    'the clock of this computer differs from that of its server',
    'synchronize the clock',
  ],
  bucket_full: ['it is full', 'delete files, or raise its quota'],
}

function userOf({ by, app, channel, version }: FileUse): string {
  const users: Record<FileUse['by'], string> = {
    release: `release ${version} of ${app}/${channel}`,
    draft: `the draft of ${version} on ${app}/${channel}`,
    change_request: `release ${version} of ${app}/${channel}, which waits for approval`,
  }
  return users[by]
}
